import { SocialError } from '@gantry/wire';
import { joinBytes } from '@gantry/wire/runtime';

export interface UploadOptions {
  readonly mostBytes: number;
  /** Runs the reading of a body whose first bytes are there, when it has a place. */
  readonly inTurn?: <T>(read: () => Promise<T>) => Promise<T>;
  /** Makes the signal that ends a body which comes too slowly. Default: after 30 seconds. */
  readonly deadline?: () => AbortSignal;
}

const uploadMs = 30_000;

/**
 * Reads a body that the server has not read yet, up to a bound. A sender without a first byte holds
 * a connection, and no place.
 *
 * @throws SocialError TOO_LARGE beyond the bound, before anything is read if the request says so;
 * REQUEST_TIMEOUT; BAD_REQUEST if the sender leaves; UNSUPPORTED_MEDIA_TYPE for a compressed body.
 */
export async function readUpload(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  { mostBytes, inTurn = (read) => read(), deadline = () => AbortSignal.timeout(uploadMs) }: UploadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  if ((headers.get('content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  if (body === null) return new Uint8Array();
  const joined = joinBytes(mostBytes);
  const reader = body.getReader();

  /** Resolves with false after the last bytes. */
  async function takeNext(): Promise<boolean> {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new SocialError('BAD_REQUEST', 'The body did not arrive as a whole.', { cause });
    });
    if (done) return false;
    if (!joined.add(value)) throw tooLarge(mostBytes);
    return true;
  }

  async function takeRest(): Promise<void> {
    const late = ended(deadline());
    while (await Promise.race([takeNext(), late]));
  }

  try {
    if (await takeNext()) await inTurn(takeRest);
    return new Uint8Array(joined.bytes());
  } finally {
    reader.releaseLock(); // not `cancel`: the runtime would close the connection before the answer is sent
  }
}

/** Rejects when a signal fires. */
function ended(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {}); // the body may have ended before
  const refuse = () => reject(new SocialError('REQUEST_TIMEOUT', 'The body came too slowly.'));
  if (signal.aborted) refuse();
  else signal.addEventListener('abort', refuse, { once: true });
  return promise;
}

function tooLarge(mostBytes: number): SocialError {
  return new SocialError('TOO_LARGE', `This body has at most ${mostBytes} bytes, in chunks of reasonable size.`);
}
