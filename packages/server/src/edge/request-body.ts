import type { IncomingMessage } from 'node:http';
import { SocialError } from '@gantry/wire';

/** Bytes of the largest request body (contract §2). */
export const maxBody = 1024 * 1024;

/**
 * Makes the function that reads bodies. All bodies under way together have a limit too: slow clients could otherwise fill the
 * memory with ones that each are small enough.
 *
 * @throws SocialError TOO_LARGE or UNAVAILABLE from the function; any other error means that the client went away.
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
      if (size > maxBody) end(tooLarge());
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

    // Not `for await`, which costs more than all else that is done for a short body.
    if (isTooLarge(incoming)) end(tooLarge());
    else if (incoming.destroyed && !incoming.complete)
      leave(); // before this server's own code had its turn
    else incoming.on('data', take).on('end', succeed).on('error', end).on('close', leave);
    return promise;
  };
}

/** Bytes that a request says its body has; 0 where it does not say. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

export function isTooLarge(incoming: IncomingMessage): boolean {
  return announcedBytes(incoming) > maxBody;
}

/**
 * Returns the bytes of a body that was read before: kept as `rawBody` or, by `express.raw()`, as `body`. Empty for a request
 * without one; `undefined` where only what somebody made of the bytes is left.
 */
export function keptBody(incoming: IncomingMessage): Buffer | undefined {
  const { rawBody, body } = incoming as { readonly rawBody?: unknown; readonly body?: unknown };
  const kept = [rawBody, body].find(Buffer.isBuffer);
  return kept ?? (hasBody(incoming) ? undefined : Buffer.alloc(0));
}

/** Returns whether a request says that a body follows its head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function tooLarge(): SocialError {
  return new SocialError('TOO_LARGE', `A request body is at most ${maxBody} bytes.`);
}
