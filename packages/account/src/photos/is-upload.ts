const uploadPath = /^\/account\/photos\/album\/[^/?]+\/upload\/?(\?|$)/;

/**
 * Returns true for a request whose body is a photo, which is read piece by piece and may be larger
 * than other bodies.
 *
 * @param request.rawTarget Path and query as sent.
 */
export function isUpload({ method, rawTarget }: { readonly method: string; readonly rawTarget: string }): boolean {
  return (method === 'PUT' || method === 'POST') && uploadPath.test(rawTarget);
}
