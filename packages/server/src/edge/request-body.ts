import type { IncomingMessage } from 'node:http';
import { maxBodyBytes, SocialError } from '@gantry/wire';
import { isTooFine, joinBytes } from '@gantry/wire/runtime';

/**
 * Makes the function that reads bodies. Bodies in progress have a limit together, too: many small
 * slow ones could fill the memory. @throws SocialError TOO_LARGE or UNAVAILABLE from the function;
 * any other error means that the client disconnected.
 */
export function createBodyReader(bodiesBytes: number): (incoming: IncomingMessage) => Promise<Buffer> {
  let held = 0;

  return (incoming) => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const body = joinBytes(maxBodyBytes);
    let size = 0;

    function take(chunk: Buffer): void {
      size += chunk.length;
      held += chunk.length;
      if (held > bodiesBytes) end(new SocialError('UNAVAILABLE', 'The server is busy: try again.', { retryAfter: 1 }));
      else if (!body.add(chunk)) end(tooLarge);
    }
    const succeed = (): void => end();
    const leave = (): void => end(new Error('The client went away.'));
    function end(error?: Error): void {
      incoming.off('data', take).off('end', succeed).off('error', end).off('close', leave);
      held -= size;
      const { buffer, byteOffset, byteLength } = body.bytes();
      if (error) reject(error);
      else resolve(Buffer.from(buffer, byteOffset, byteLength));
    }

    // Not `for await`, which costs more than all other work on a short body.
    if (isTooLarge(incoming)) end(tooLarge);
    else if (incoming.destroyed && !incoming.complete)
      leave(); // disconnected before this code ran
    else incoming.on('data', take).on('end', succeed).on('error', end).on('close', leave);
    return promise;
  };
}

/**
 * Watches the chunks of a body as the parser makes them, before any buffer: each costs more than
 * its bytes. Calls back once there are too many small ones; they and all later ones are dropped.
 */
export function watchChunks(incoming: IncomingMessage, onTooFine: () => void): void {
  const total = { chunks: 0, bytes: 0 };
  let isDropped = false;
  const push = incoming.push.bind(incoming);
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push(chunk, encoding);
    total.chunks++;
    total.bytes += chunk.length;
    if (!isDropped && isTooFine(total)) {
      isDropped = true;
      onTooFine();
    }
    if (!isDropped) return push(chunk, encoding);
    incoming.socket.pause(); // an earlier chunk may have made it read on
    return false;
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
  const buffer = [rawBody, body].find(Buffer.isBuffer);
  return buffer ?? (hasBody(incoming) ? undefined : Buffer.alloc(0));
}

export function hasBody(incoming: IncomingMessage): boolean {
  return incoming.headers['transfer-encoding'] !== undefined || announcedBytes(incoming) > 0;
}

export const tooFine = new SocialError('TOO_LARGE', 'The body consists of too many small chunks.');

export const tooLarge = new SocialError('TOO_LARGE', `A request body is at most ${maxBodyBytes} bytes.`);
