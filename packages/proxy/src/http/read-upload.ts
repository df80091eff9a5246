import { SocialError } from '@gantry/wire';
import { joinBytes } from '@gantry/wire/runtime';

/**
 * Reads a body that the server has not read yet, up to a bound.
 *
 * @throws SocialError TOO_LARGE beyond it, before anything is read if the request says so;
 * BAD_REQUEST if the sender leaves or sends the body compressed.
 */
export async function readUpload(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  if ((headers.get('content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  const joined = joinBytes(mostBytes);
  const reader = body?.getReader();
  try {
    for (;;) {
      const read = await reader?.read().catch((cause: unknown) => {
        throw new SocialError('BAD_REQUEST', 'The body did not arrive as a whole.', { cause });
      });
      if (read === undefined || read.done) return new Uint8Array(joined.bytes());
      if (!joined.add(read.value)) throw tooLarge(mostBytes);
    }
  } finally {
    reader?.releaseLock(); // not `cancel`: the runtime would close the connection before the answer is sent
  }
}

function tooLarge(mostBytes: number): SocialError {
  return new SocialError('TOO_LARGE', `This body has at most ${mostBytes} bytes, in chunks of reasonable size.`);
}
