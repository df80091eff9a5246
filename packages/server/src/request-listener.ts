import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Answer, Incoming } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import type { Edge } from './edge/edge.ts';
import type { Limits } from './edge/limits.ts';
import { notInTime, refuse } from './edge/refusals.ts';
import { createBodyReader, isTooLarge, keptBody, maxBody, tooLarge } from './edge/request-body.ts';
import { headProblem } from './edge/request-head.ts';

/** A request handler that also gets the request target exactly as the client sent it: signatures cover those bytes. */
export type Fetch = (request: Request, rawTarget: string) => Promise<Response>;

/** What Node received, with its whole body. */
export interface Arrived extends Incoming {
  /** Method, address and headers as a `Request`, for those who must have one. */
  head(): Request;
}

/** What goes out. A body that is not there yet as a whole is sent as it comes. */
export interface Departing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Answer['body'] | ReadableStream<Uint8Array>;
}

/** Answers what needs no `Request`: the service's paths and the calls of pages. `undefined` leaves the rest to `fetch`. */
export type Direct = (incoming: Arrived) => Promise<Departing> | undefined;

export interface RequestListenerOptions {
  readonly fetch: Fetch;
  readonly direct?: Direct | undefined;
  /** Requests of which `fetch` takes the body piece by piece, with a limit of its own. Of others it comes as a whole. */
  readonly streams?: ((request: Pick<Incoming, 'method' | 'rawTarget'>) => boolean) | undefined;
  /** Counts, names and turns away requests. Absent: none of that. */
  readonly edge?: Edge | undefined;
  readonly limits: Limits;
  /** Gets the faults of a site that hands its requests on. */
  readonly log?: Logger | undefined;
}

/** @param proceed Tells a client that waits with its body to send it. */
export type RequestListener = (incoming: Received, outgoing: ServerResponse, proceed?: () => void) => void;

export type Received = IncomingMessage & { rawBody?: Buffer };

/**
 * Makes the function that checks a request's head, receives its body within the bounds and the deadline, and hands it to
 * `direct` or `fetch` (security rules 16 and 20). A server of Gantry's own and a site's server both use it.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { fetch, direct, streams = () => false, edge, limits, log } = options;
  const readBody = createBodyReader(limits.bodiesBytes);
  const adapt = getRequestListener(
    (request, { incoming }) => fetch(request, (incoming as IncomingMessage).url ?? '/'),
    {
      overrideGlobalObjects: false,
    },
  );

  function answer(incoming: Received, outgoing: ServerResponse): void {
    const work = () => answerNow(incoming, outgoing);
    if (edge) edge.admit(outgoing, work, (problem) => refuse(incoming, outgoing, problem));
    else work();
  }

  function answerNow(incoming: Received, outgoing: ServerResponse): void {
    edge?.work(outgoing);
    const answered = direct?.(incomingOf(incoming));
    if (answered) answered.then((ours) => send(outgoing, ours)).catch(() => outgoing.destroy());
    else void adapt(incoming, outgoing);
  }

  function accept(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    const problem = headProblem(incoming, limits.headers) ?? edge?.problem();
    if (problem) refuse(incoming, outgoing, problem);
    else if (incoming.method === 'GET' || incoming.method === 'HEAD') answer(incoming, outgoing);
    else if (incoming.readableDidRead) acceptRead(incoming, outgoing);
    else if (streams({ method: incoming.method ?? '', rawTarget: incoming.url ?? '' })) {
      proceed?.();
      endLateUpload(incoming, outgoing);
      answer(incoming, outgoing);
    } else if (isTooLarge(incoming)) refuse(incoming, outgoing, tooLarge());
    else {
      proceed?.();
      void receiveBody(incoming, outgoing);
    }
  }

  // A server of Gantry's own ends what is late by itself; a site's server may have no time-out.
  function endLateUpload(incoming: Received, outgoing: ServerResponse): void {
    const late = setTimeout(() => {
      if (incoming.complete) return;
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(incoming, outgoing, notInTime);
    }, limits.uploadMs);
    outgoing.once('close', () => clearTimeout(late));
  }

  /** Takes the body that a site's own middleware has read, where it kept the bytes: signatures cover them. */
  function acceptRead(incoming: Received, outgoing: ServerResponse): void {
    const body = keptBody(incoming);
    if (body === undefined) {
      log?.error('A body parser read a request of Gantry: use toNodeListener before express.json() and its kind.');
      refuse(incoming, outgoing, wasParsed);
    } else if (body.byteLength > maxBody) refuse(incoming, outgoing, tooLarge());
    else {
      incoming.rawBody = body;
      answer(incoming, outgoing);
    }
  }

  async function receiveBody(incoming: Received, outgoing: ServerResponse): Promise<void> {
    const late = setTimeout(() => refuse(incoming, outgoing, notInTime), limits.requestMs);
    try {
      incoming.rawBody = await readBody(incoming); // known to the adapter: the Request's body without a stream
      if (!outgoing.headersSent) answer(incoming, outgoing);
    } catch (error) {
      if (outgoing.headersSent) return; // it was refused for coming late
      if (error instanceof SocialError) refuse(incoming, outgoing, error);
      else outgoing.destroy(); // the client went away while it was sending
    } finally {
      clearTimeout(late);
    }
  }

  return (incoming, outgoing, proceed) => {
    const work = () => accept(incoming, outgoing, proceed);
    if (edge) edge.follow(incoming, outgoing, work);
    else work();
  };
}

const wasParsed = new SocialError('INTERNAL', 'The site read this request before Gantry could: see its log.');

function incomingOf({ method = 'GET', url = '/', headers, rawBody }: Received): Arrived {
  return {
    method,
    rawTarget: url,
    host: headers.host ?? '',
    header: (name) => headers[name] as string | undefined, // Node keeps a list for Set-Cookie only
    body: rawBody?.length ? rawBody : undefined,
    head: () => new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string> }),
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Departing): void {
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers);
    pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), outgoing, () => {}); // a client that goes away ends it
    return;
  }
  const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
}
