import type { IncomingMessage, ServerResponse } from 'node:http';
import { SocialError } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';

/** Handles a request of the page, whose origin is checked. Resolves with false if it does not. */
export type Route = (exchange: Exchange) => Promise<boolean>;

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
}

const maxBytes = 4 * 1024 * 1024;

/** Reads a body as JSON. @throws Error in one sentence if it is not JSON, or too long. */
export async function readJson<Body>(incoming: IncomingMessage): Promise<Body> {
  const bytes = await readBytes(incoming, maxBytes);
  if (!bytes) throw new Error(`A body has at most ${maxBytes} bytes.`);
  return JSON.parse(new TextDecoder().decode(bytes)) as Body;
}

export function sendJson(outgoing: ServerResponse, body: unknown, status = 200): true {
  outgoing.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  outgoing.end(JSON.stringify(body));
  return true;
}

/** Answers with an error as `{ error }`; 400 for any but SocialError. */
export function sendRefusal(outgoing: ServerResponse, error: unknown): true {
  const problem =
    error instanceof SocialError
      ? error
      : new SocialError('BAD_REQUEST', error instanceof Error ? error.message : String(error), { cause: error });
  return sendJson(outgoing, { error: problem.toWire() }, problem.status);
}
