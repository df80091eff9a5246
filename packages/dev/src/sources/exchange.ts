import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Connect middleware. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: (error?: unknown) => void) => void;

/** Response of middleware as data, with the content type only. */
export interface MiddlewareAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/** Requests a file from middleware, without a server. `undefined`: it is left to others. */
export function exchange(
  middleware: Middleware,
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Promise<MiddlewareAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const incoming = new IncomingMessage(new Socket());
    incoming.method = 'GET';
    incoming.url = request.url;
    Object.assign(incoming.headers, request.headers);
    incoming.push(null);
    const outgoing = new CapturedResponse(incoming, resolve);
    middleware(incoming, outgoing, (error) => (error ? reject(error) : resolve(undefined)));
  });
}

/** A response that collects its body, without a connection. */
class CapturedResponse extends ServerResponse {
  readonly #chunks: Buffer[] = [];
  readonly #onEnd: (answer: MiddlewareAnswer) => void;

  constructor(incoming: IncomingMessage, onEnd: (answer: MiddlewareAnswer) => void) {
    super(incoming);
    this.#onEnd = onEnd;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const headers = rest.find((value) => typeof value === 'object' && value !== null);
    for (const [name, value] of Object.entries((headers ?? {}) as OutgoingHttpHeaders)) {
      if (value !== undefined) this.setHeader(name, value as Exclude<OutgoingHttpHeader, undefined>);
    }
    return this;
  }

  override write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk as Uint8Array));
    return true;
  }

  override end(...rest: unknown[]): this {
    if (this.finished) return this;
    const [chunk] = rest;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.finished = true; // `writableEnded`, which middleware reads
    const type = this.getHeader('content-type');
    this.#onEnd({
      status: this.statusCode,
      contentType: type === undefined ? undefined : String(type),
      body: Buffer.concat(this.#chunks),
    });
    this.emit('finish');
    return this;
  }
}
