import type { IncomingMessage } from 'node:http';
import { SocialError } from '@gantry/wire';

/** Bytes of the largest request body (contract §2). */
const maxBody = 1024 * 1024;

/**
 * Makes the function that reads bodies. All bodies under way together have a limit too: slow clients could otherwise fill the
 * memory with ones that each are small enough.
 *
 * @throws SocialError TOO_LARGE or UNAVAILABLE from the function; any other error means that the client went away.
 */
export function createBodyReader(bodiesBytes: number): (incoming: IncomingMessage) => Promise<Buffer> {
  let held = 0;

  return async (incoming) => {
    if (announcedBytes(incoming) > maxBody) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        held += chunk.length;
        if (size > maxBody) throw tooLarge();
        if (held > bodiesBytes)
          throw new SocialError('UNAVAILABLE', 'The server is busy: try again.', { retryAfter: 1 });
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } finally {
      held -= size;
    }
  };
}

/** Bytes that a request says its body has; 0 where it does not say. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

export function isTooLarge(incoming: IncomingMessage): boolean {
  return announcedBytes(incoming) > maxBody;
}

export function tooLarge(): SocialError {
  return new SocialError('TOO_LARGE', `A request body is at most ${maxBody} bytes.`);
}
