import { SocialError } from '@gantry/wire';
import { createWorkQueue } from '../images/work-queue.ts';

/** A form that came with files. */
export interface FilesForm {
  readonly fields: URLSearchParams;
  readonly files: readonly File[];
}

/**
 * Makes the function that reads forms with files. Where scripts run, photos come one by one and are never held in memory; this
 * is the way without one. The runtime's own parser takes the whole body, since no streaming parser is among our packages, so
 * the body has a limit, and there are few at a time (docs/decisions/0013-photos.md).
 *
 * @throws SocialError from the function: UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, BAD_REQUEST, UNAVAILABLE
 */
export function createFilesFormReader(maxBytes: number): (request: Request) => Promise<FilesForm> {
  const reading = createWorkQueue({ atOnce: 4, mostWaiting: 0 });
  const tooLarge = () =>
    new SocialError(
      'TOO_LARGE',
      `Without scripts, all photos of a form together have at most ${Math.floor(maxBytes / 2 ** 20)} MB. Send fewer at a time.`,
    );

  async function read(request: Request, type: string): Promise<FilesForm> {
    const problem: { current?: SocialError } = {};
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= maxBytes) return controller.enqueue(chunk);
        problem.current = tooLarge();
        controller.error(problem.current);
      },
    });
    const body = request.body?.pipeThrough(limit, { preventCancel: true }) ?? null;
    const form = await new Response(body, { headers: { 'content-type': type } })
      .formData()
      .catch((cause) =>
        Promise.reject(
          problem.current ?? new SocialError('BAD_REQUEST', 'The form did not arrive as a whole.', { cause }),
        ),
      );
    const fields = new URLSearchParams();
    const files: File[] = [];
    for (const [name, value] of form) {
      if (typeof value === 'string') fields.append(name, value);
      else if (value.name !== '' || value.size > 0) files.push(value); // a field without a file comes as an empty one
    }
    return { fields, files };
  }

  return async (request) => {
    const type = request.headers.get('content-type') ?? '';
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'A form with files is sent as multipart/form-data.');
    }
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
    return reading.run(() => read(request, type));
  };
}
