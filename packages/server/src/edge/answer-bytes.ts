import { fileChunkBytes } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';

/** Bytes of answers that were made and not read yet, in all requests together. */
export type AnswerBytes = ReturnType<typeof createAnswerBytes>;

/** Smaller answers are not counted: a request itself costs as much. */
const mostUncounted = 16 * 1024;

/** Memory of a file that is sent: the chunk that is read, and the one that the socket has. */
const fileWindow = 2 * fileChunkBytes;

export function createAnswerBytes(mostBytes: number) {
  let held = 0;

  return {
    get held(): number {
      return held;
    },
    /**
     * Counts bytes until the returned function is called, once or more often.
     *
     * @throws SocialError UNAVAILABLE if the answers together would be too large.
     */
    hold(bytes: number): () => void {
      if (held + bytes > mostBytes) {
        throw new SocialError('UNAVAILABLE', 'Too many answers wait to be read: try again.', { retryAfter: 1 });
      }
      held += bytes;
      let isHeld = true;
      return () => {
        if (isHeld) held -= bytes;
        isHeld = false;
      };
    },
  };
}

/** Returns the memory that an answer holds until it is read: its body, or the window of a file. */
export function heldBytes({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): number {
  if (body === null) return 0;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = isWhole ? Buffer.byteLength(body) : Math.min(lengthOf(headers), fileWindow);
  return bytes > mostUncounted ? bytes : 0;
}

function lengthOf(headers: HttpResponse['headers']): number {
  return Number(headers['Content-Length'] ?? headers['content-length'] ?? 0);
}
