import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BufferedRequest } from '@gantry/proxy';
import { fileChunkBytes } from '@gantry/store';
import { type HttpRequest, type HttpResponse, maxBodyBytes, SocialError } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { heldBytes } from '../edge/answer-bytes.ts';
import { createConnectionTurns } from '../edge/connection-turns.ts';
import type { Limits } from '../edge/limits.ts';
import { notInTime, refuse } from '../edge/refusals.ts';
import { createBodyReader, isTooLarge, keptBody, tooFine, tooLarge, watchChunks } from '../edge/request-body.ts';
import { headProblem } from '../edge/request-head.ts';
import type { Edge } from './edge.ts';

/** Request handler that also gets the target exactly as sent: signatures cover those bytes. */
export type Fetch = (request: Request, rawTarget: string) => Promise<Response>;

/** Handles service paths and calls of pages without a `Request`; `undefined` for others. */
export type Direct = (incoming: BufferedRequest) => Promise<HttpResponse> | undefined;

export interface RequestListenerOptions {
  readonly fetch: Fetch;
  readonly direct?: Direct | undefined;
  /** Returns whether `fetch` streams the body, with its own limit. Other bodies are read first. */
  readonly streams?: ((request: Pick<HttpRequest, 'method' | 'rawTarget'>) => boolean) | undefined;
  /** Identifies, counts and refuses requests. Absent: none of that. */
  readonly edge?: Edge | undefined;
  readonly limits: Limits;
  /** Logs a site's misuse of the listener. */
  readonly log?: Logger | undefined;
}

/** @param proceed Sends `100 Continue` to a client that waits with its body. */
export type RequestListener = (incoming: Received, outgoing: ServerResponse, proceed?: () => void) => void;

export type Received = IncomingMessage & { rawBody?: Buffer };

/**
 * Makes the function that validates a request's head, reads its body within size and deadline, and
 * passes it to `direct` or `fetch` (security rules 16 and 20). Used by Gantry's own server and by
 * sites' servers.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { fetch, direct, streams = () => false, edge, limits, log } = options;
  const readBody = createBodyReader(limits.bodiesBytes);
  const inTurn = createConnectionTurns(limits.perConnection);
  const adapt = getRequestListener(answerRequest, { overrideGlobalObjects: false });

  /** Sends a response of known length; the adapter sends any other. */
  async function answerRequest(request: Request, bindings: object): Promise<Response> {
    const { incoming, outgoing } = bindings as HttpBindings; // HTTP/2 was refused
    const response = await fetch(request, incoming.url ?? '/');
    const { status, headers, body } = response;
    const length = headers.get('content-length');
    if (length === null && incoming.method !== 'HEAD' && !outgoing.headersSent) return response;
    const isSmall = Number(length ?? 0) <= fileChunkBytes && incoming.method !== 'HEAD';
    const content = isSmall && body !== null ? Buffer.from(await response.arrayBuffer()) : body;
    if (!outgoing.headersSent) outgoing.setHeaders(headers);
    send(incoming, outgoing, { status, headers: {}, body: content });
    return alreadySent;
  }

  function sendHeld(incoming: Received, outgoing: ServerResponse, ours: HttpResponse): void {
    const bytes = incoming.method === 'HEAD' ? 0 : heldBytes(ours);
    try {
      if (bytes > 0) edge?.hold(outgoing, bytes);
    } catch (error) {
      if (ours.body instanceof ReadableStream) void ours.body.cancel();
      refuse(incoming, outgoing, error as SocialError);
      return;
    }
    send(incoming, outgoing, ours);
  }

  function answer(incoming: Received, outgoing: ServerResponse): void {
    const work = () => answerNow(incoming, outgoing);
    if (edge) edge.admit(outgoing, work, (problem) => refuse(incoming, outgoing, problem));
    else work();
  }

  function answerNow(incoming: Received, outgoing: ServerResponse): void {
    edge?.work(outgoing);
    const answered = direct?.(incomingOf(incoming));
    if (answered) answered.then((ours) => sendHeld(incoming, outgoing, ours)).catch(() => outgoing.destroy());
    else void adapt(incoming, outgoing);
  }

  function accept(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    const problem = headProblem(incoming, limits.headers) ?? edge?.problem();
    if (problem) refuse(incoming, outgoing, problem);
    else if (incoming.method === 'GET' || incoming.method === 'HEAD') answer(incoming, outgoing);
    else if (incoming.readableDidRead) acceptRead(incoming, outgoing);
    else receive(incoming, outgoing, proceed);
  }

  function receive(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    watchChunks(incoming, () => {
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(incoming, outgoing, tooFine, { reads: false });
    });
    if (streams({ method: incoming.method ?? '', rawTarget: incoming.url ?? '' })) {
      proceed?.();
      endLateUpload(incoming, outgoing);
      answer(incoming, outgoing);
    } else if (isTooLarge(incoming)) refuse(incoming, outgoing, tooLarge);
    else {
      proceed?.();
      void receiveBody(incoming, outgoing);
    }
  }

  // Gantry's own server has timeouts; a site's server may have none.
  function endLateUpload(incoming: Received, outgoing: ServerResponse): void {
    const late = setTimeout(() => {
      if (incoming.complete) return;
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(incoming, outgoing, notInTime);
    }, limits.uploadMs);
    outgoing.once('close', () => clearTimeout(late));
  }

  /** Uses the body that the site's middleware has read, if it kept the signed bytes. */
  function acceptRead(incoming: Received, outgoing: ServerResponse): void {
    const body = keptBody(incoming);
    if (body === undefined) {
      log?.error({}, parsedBefore);
      refuse(incoming, outgoing, wasParsed);
    } else if (body.byteLength > maxBodyBytes) refuse(incoming, outgoing, tooLarge);
    else {
      incoming.rawBody = body;
      answer(incoming, outgoing);
    }
  }

  async function receiveBody(incoming: Received, outgoing: ServerResponse): Promise<void> {
    const late = setTimeout(() => refuse(incoming, outgoing, notInTime), limits.requestMs);
    try {
      incoming.rawBody = await readBody(incoming); // the adapter makes the Request's body of it, without a stream
      if (!outgoing.headersSent) answer(incoming, outgoing);
    } catch (error) {
      if (outgoing.headersSent) return; // refused as late
      if (error instanceof SocialError) refuse(incoming, outgoing, error);
      else outgoing.destroy(); // the client went away while it was sending
    } finally {
      clearTimeout(late);
    }
  }

  return (incoming, outgoing, proceed) => {
    const work = () => accept(incoming, outgoing, proceed);
    inTurn(incoming, outgoing, () => (edge ? edge.follow(incoming, outgoing, work) : work()));
  };
}

// The adapter sends nothing after this one.
const alreadySent = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

const parsedBefore =
  'A body parser read a request of Gantry: use toNodeListener before body parsers such as express.json().';
const wasParsed = new SocialError('INTERNAL', 'The site read the body of this request before Gantry: see its log.');

function incomingOf({ method = 'GET', url = '/', headers, rawBody }: Received): BufferedRequest {
  return {
    method,
    rawTarget: url,
    host: headers.host ?? '',
    header: (name) => headers[name] as string | undefined, // Node keeps a list for Set-Cookie only
    body: rawBody?.length ? rawBody : undefined,
    head: () => new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string> }),
  };
}

function send(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  const isStream = body instanceof ReadableStream;
  const isGone = outgoing.headersSent || outgoing.destroyed; // refused as late, or disconnected
  if (isStream && (isGone || incoming.method === 'HEAD')) void body.cancel();
  if (isGone) return;
  if (!isStream) {
    const content = body as string | Uint8Array | null;
    const length = content === null ? {} : { 'Content-Length': Buffer.byteLength(content) };
    outgoing.writeHead(status, { ...headers, ...length }).end(content ?? undefined);
    return;
  }
  outgoing.writeHead(status, headers);
  if (incoming.method === 'HEAD') outgoing.end();
  else sendStream(body as ReadableStream<Uint8Array>, outgoing);
}

/** Sends a stream as fast as its client reads. A failure ends the connection; a close cancels. */
function sendStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): void {
  const reader = body.getReader();
  function sendOn(): void {
    reader.read().then(
      ({ done, value }) => {
        if (outgoing.destroyed) return;
        if (done) outgoing.end();
        else if (outgoing.write(value)) sendOn();
        else outgoing.once('drain', sendOn);
      },
      () => outgoing.destroy(),
    );
  }
  outgoing.once('close', () => reader.cancel().catch(() => {})); // failed before
  sendOn();
}
