import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Gantry, toNodeListener } from '@gantry/server';
import { isRecord, parseJson, type RequestParams, resolveRequest } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';
import type { FilteredCall } from './call-filter.ts';
import type { FaultGates } from './faults.ts';

const eventsPath = '/gantry/events';
const mostBodyBytes = 1024 * 1024;

/**
 * Makes the handler in front of a lab: HTTP requests and direct calls, with network faults.
 *
 * @param options.personaHeader Names a request's member. Unverified: only faults match by it.
 */
export function createLabServer(options: {
  readonly gantry: Gantry;
  readonly faults: FaultGates;
  readonly url: string;
  readonly personaHeader: string;
}) {
  const { gantry, faults, url, personaHeader } = options;
  const node = toNodeListener(gantry);
  const listening = new Set<ServerResponse>();

  async function pass(incoming: IncomingMessage & { rawBody?: Buffer }, outgoing: ServerResponse): Promise<void> {
    const path = pathOf(incoming.url);
    let body: Buffer | undefined;
    const viewer = incoming.headers[personaHeader.toLowerCase()];
    const verdict = await faults.enter(path, async () => {
      const bytes = await readBytes(incoming, mostBodyBytes);
      if (!bytes) throw new RangeError('The body is too large.');
      body = Buffer.from(bytes);
      return callsOf(body.toString(), typeof viewer === 'string' ? viewer : undefined);
    });
    if (outgoing.destroyed) return;
    if (verdict === 'lose') return breakConnection(outgoing);
    if (body) incoming.rawBody = body; // a body that was read is passed to the listener here
    if (verdict === 'pass') return follow(incoming, outgoing);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined) headers.set(name, String(value));
    const request = new Request(url + incoming.url, { method: 'POST', headers, body: new Uint8Array(body ?? []) });
    const response = await gantry.fetch(request, incoming.url);
    await response.arrayBuffer();
    breakConnection(outgoing);
  }

  function follow(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (pathOf(incoming.url) === eventsPath) {
      listening.add(outgoing);
      outgoing.once('close', () => listening.delete(outgoing));
    }
    node(incoming, outgoing);
  }

  return {
    /** Handles a request of Node's server. Browsers do not retry after a lost connection. */
    listener(incoming: IncomingMessage, outgoing: ServerResponse): void {
      if (faults.mayInject(pathOf(incoming.url))) pass(incoming, outgoing).catch(() => outgoing.destroy());
      else follow(incoming, outgoing);
    },
    /** Handles a request without a network. Rejects with a TypeError on a lost connection. */
    async fetch(request: Request): Promise<Response> {
      const { pathname: path } = new URL(request.url);
      const answer = () => gantry.fetch(request);
      if (!faults.mayInject(path)) return answer();
      const verdict = await faults.enter(path, async () =>
        callsOf(await request.clone().text(), request.headers.get(personaHeader) ?? undefined),
      );
      if (verdict === 'pass') return answer();
      if (verdict === 'lose-reply') await (await answer()).arrayBuffer();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      });
    },
    /** Ends the connections over which pages listen to events. */
    lose(): void {
      for (const outgoing of listening) outgoing.destroy();
    },
  };
}

/**
 * Ends a connection with a malformed response. Browsers retry by themselves, POST too, if a reused
 * connection ends before the first byte of a response; they do not retry after a malformed one.
 */
function breakConnection(outgoing: ServerResponse): void {
  outgoing.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n');
  outgoing.socket?.destroySoon();
}

function pathOf(target = '/'): string {
  return target.split('?', 1)[0] as string;
}

/** Reads the calls of a body. Returns none for a malformed one, which the proxy refuses. */
function callsOf(text: string, viewer: string | undefined): readonly FilteredCall[] {
  try {
    const body = parseJson(text);
    if (!isRecord(body) || !Array.isArray(body.calls)) return [];
    const tokens = isRecord(body.tokens) ? body.tokens : {};
    return body.calls.flatMap((call: unknown): FilteredCall[] => {
      if (!isRecord(call) || typeof call.operation !== 'string') return [];
      const app = appOf(tokens[String(call.instance)]);
      return [{ app, viewer, names: operationNames(call.operation, isRecord(call.params) ? call.params : {}, viewer) }];
    });
  } catch {
    return [];
  }
}

/** Reads the app of a gadget token, unverified: it only decides which fault is injected. */
function appOf(token: unknown): string | undefined {
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined;
  const claims = payload && parseJson(Buffer.from(payload, 'base64url').toString());
  return isRecord(claims) && typeof claims.app === 'string' ? claims.app : undefined;
}

function operationNames(operation: string, params: RequestParams, viewer: string | undefined): readonly string[] {
  try {
    return [operation, resolveRequest({ operation, params }, { app: '', viewer, owner: viewer }).operation];
  } catch {
    return [operation];
  }
}
