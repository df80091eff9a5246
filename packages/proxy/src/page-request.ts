import { readBytes } from './read-bytes.ts';

/**
 * A call of a page of the site, as the wire carried it. The endpoints work on this and on `Answer` instead of `Request` and
 * `Response`, which cost more than the answer to a read that is kept.
 */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Value of `Host`. */
  readonly host: string;
  /** One header by its lower-case name. */
  header(name: string): string | undefined;
  /** `undefined` for one of more than 1 MiB. */
  body(): Promise<Uint8Array | undefined>;
  /** Its method, address and headers, for what names the member who is signed in. */
  head(): Request;
}

/** What an endpoint answers. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Answers one kind of call; `viewer` is the member who is signed in. It refuses by throwing a SocialError. */
export type Endpoint = (page: PageRequest, viewer: string | undefined) => Promise<Answer>;

const maxBodyBytes = 1024 * 1024;

/** The same call out of a `Request`. */
export function pageRequestOf(request: Request): PageRequest {
  const { method, headers, url } = request;
  const { pathname, host } = new URL(url);
  return {
    method,
    path: pathname,
    host,
    header: (name) => headers.get(name) ?? undefined,
    body: () => bodyOf(request),
    head: () => new Request(url, { method, headers }),
  };
}

// A body whose length is told, as browsers tell it, is taken as a whole: a stream costs more than all that is done with it.
async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length');
  if (announced === null || !/^\d+$/.test(announced)) return readBytes(request.body, maxBodyBytes);
  if (Number(announced) > maxBodyBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBodyBytes ? undefined : bytes;
}
