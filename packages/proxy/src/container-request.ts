import { SocialError } from '@gantry/wire';
import { parseJson } from './parse-json.ts';
import { readBytes } from './read-bytes.ts';

const maxBodyBytes = 1024 * 1024;

/**
 * Lets through only what a page of the site itself sent (security rule 10). A cross-site page, an app's frame and a
 * plain form can each bring the member's cookies, but none of them all of: our header, our content type, our origin.
 *
 * @throws SocialError MISDIRECTED, METHOD_NOT_ALLOWED, FORBIDDEN or UNSUPPORTED_MEDIA_TYPE.
 */
export function requireOwnPage(request: Request, siteOrigin: string): void {
  const { headers } = request;
  // Only the host: behind a reverse proxy the scheme that arrives here is not the site's.
  if (new URL(request.url).host !== new URL(siteOrigin).host) {
    throw new SocialError('MISDIRECTED', `Gadget calls are answered at ${siteOrigin} only.`);
  }
  if (request.method !== 'POST') {
    throw new SocialError('METHOD_NOT_ALLOWED', 'Use POST.', { allow: ['POST'] });
  }
  if (!isSameOrigin(headers, siteOrigin)) {
    throw new SocialError('FORBIDDEN', `Only pages of ${siteOrigin} may call this address.`);
  }
  if (headers.get('gantry-container') !== '1') {
    throw new SocialError('FORBIDDEN', 'The header Gantry-Container: 1 is missing.');
  }
  if (!/^application\/json(;\s*charset="?utf-8"?)?$/i.test(headers.get('content-type') ?? '')) {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: Content-Type: application/json.');
  }
}

function isSameOrigin(headers: Headers, siteOrigin: string): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  return origin === null ? site === 'same-origin' : origin === siteOrigin && (site ?? 'same-origin') === 'same-origin';
}

/** @throws SocialError TOO_LARGE over 1 MiB, BAD_REQUEST for a body that is not JSON in UTF-8. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await bodyOf(request);
  if (bytes === undefined) throw new SocialError('TOO_LARGE', 'The body is larger than 1 MiB.');
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'The body must be JSON in UTF-8, at most 64 levels deep.', { cause });
  }
}

// A body whose length is told, as browsers tell it, is taken as a whole: a stream costs more than all that is done with it.
async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length');
  if (announced === null || !/^\d+$/.test(announced)) return readBytes(request.body, maxBodyBytes);
  if (Number(announced) > maxBodyBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBodyBytes ? undefined : bytes;
}
