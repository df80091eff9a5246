import { tooManyPhotos } from '@gantry/service/pages';
import { createGate, SocialError } from '@gantry/wire';
import type { Texts } from '../messages/texts.ts';
import type { PageRequest } from './page-request.ts';

/** Fields and files of a form. */
type FilesForm = Pick<PageRequest, 'form' | 'files'>;

/**
 * Makes the function that reads forms with files, for browsers without scripts. The runtime's
 * parser holds the whole body in memory, so the body has a limit and few are read at a time
 * (docs/decisions/0013-photos.md). Scripts send photos one by one, and those are never held.
 *
 * @throws SocialError from the function: UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, BAD_REQUEST,
 * UNAVAILABLE
 */
export function createFilesFormReader(maxBytes: number): (request: Request, texts: Texts) => Promise<FilesForm> {
  const reading = createGate({ atOnce: 4, bound: { waiting: 0, full: tooManyPhotos } });
  const megabytes = Math.floor(maxBytes / 2 ** 20);
  const tooLarge = (texts: Texts) => new SocialError('TOO_LARGE', texts.say('upload.formTooLarge', { megabytes }));

  async function read(request: Request, { type, texts }: { readonly type: string; readonly texts: Texts }) {
    const problem: { current?: SocialError } = {};
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= maxBytes) return controller.enqueue(chunk);
        problem.current = tooLarge(texts);
        controller.error(problem.current);
      },
    });
    const body = request.body?.pipeThrough(limit, { preventCancel: true }) ?? null;
    const data = await new Response(body, { headers: { 'content-type': type } }).formData().catch((cause) => {
      throw problem.current ?? new SocialError('BAD_REQUEST', texts.say('form.incomplete'), { cause });
    });
    const form = new URLSearchParams();
    const files: File[] = [];
    for (const [name, value] of data) {
      if (typeof value === 'string') form.append(name, value);
      else if (value.name !== '' || value.size > 0) files.push(value); // a field without a file comes as an empty one
    }
    return { form, files };
  }

  return async (request, texts) => {
    const type = request.headers.get('content-type') ?? '';
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      throw new SocialError('UNSUPPORTED_MEDIA_TYPE', texts.say('form.type', { type: 'multipart/form-data' }));
    }
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(texts);
    return reading(() => read(request, { type, texts }));
  };
}
