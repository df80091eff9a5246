import type { IncomingMessage } from 'node:http';
import { maxBodyBytes, SocialError } from '@gantry/wire';

/**
 * Makes the function that reads bodies. Bodies in progress have a limit together, too: many small
 * slow ones could fill the memory.
 *
 * @throws SocialError TOO_LARGE or UNAVAILABLE from the function; any other error means that the
 * client disconnected.
 */
export function createBodyReader(bodiesBytes: number): (incoming: IncomingMessage) => Promise<Buffer> {
  let held = 0;

  return (incoming) => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let size = 0;

    function take(chunk: Buffer): void {
      size += chunk.length;
      held += chunk.length;
      if (size > maxBodyBytes) end(tooLarge);
      else if (held > bodiesBytes)
        end(new SocialError('UNAVAILABLE', 'The server is busy: try again.', { retryAfter: 1 }));
      else chunks.push(chunk);
    }
    const succeed = (): void => end();
    const leave = (): void => end(new Error('The client went away.'));
    function end(error?: Error): void {
      incoming.off('data', take).off('end', succeed).off('error', end).off('close', leave);
      held -= size;
      if (error) reject(error);
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    }

    // Not `for await`, which costs more than all other work on a short body.
    if (isTooLarge(incoming)) end(tooLarge);
    else if (incoming.destroyed && !incoming.complete)
      leave(); // disconnected before this code ran
    else incoming.on('data', take).on('end', succeed).on('error', end).on('close', leave);
    return promise;
  };
}

/** Returns the `Content-Length` of a request; 0 without one. */
function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

export function isTooLarge(incoming: IncomingMessage): boolean {
  return announcedBytes(incoming) > maxBodyBytes;
}

/**
 * Returns the bytes of a body that was read before, kept as `rawBody` or, by `express.raw()`, as
 * `body`. Empty for a request without one; `undefined` if only a parsed form is left.
 */
export function keptBody(incoming: IncomingMessage): Buffer | undefined {
  const { rawBody, body } = incoming as { readonly rawBody?: unknown; readonly body?: unknown };
  const kept = [rawBody, body].find(Buffer.isBuffer);
  return kept ?? (hasBody(incoming) ? undefined : Buffer.alloc(0));
}

/** Returns whether a request announces a body. */
export function hasBody(incoming: IncomingMessage): boolean {
  return incoming.headers['transfer-encoding'] !== undefined || announcedBytes(incoming) > 0;
}

export const tooLarge = new SocialError('TOO_LARGE', `A request body is at most ${maxBodyBytes} bytes.`);
