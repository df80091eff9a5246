import { type HttpRequest, type HttpResponse, maxBodyBytes, type PageViewer } from '@gantry/wire';

export interface BufferedRequest extends HttpRequest {
  /** Returns method, address and headers as a `Request`, for the site's `viewer` function. */
  head(): Request;
}

/** A call of a page of the site, whose body is read after its sender was checked. */
export interface PageRequest extends Pick<HttpRequest, 'method' | 'host' | 'header'> {
  /** Resolves with `undefined` for a body of more than `maxBodyBytes`. */
  body(): Promise<Uint8Array | undefined>;
  head(): Request;
}

export type PageResponse = HttpResponse<string | ReadableStream<Uint8Array>>;

/**
 * Handles the requests of one path. Throws SocialError to refuse one.
 *
 * @param viewer The signed-in member, never another person.
 */
export type Endpoint = (page: PageRequest, viewer: PageViewer | undefined) => Promise<PageResponse>;

const noBytes = new Uint8Array();

export function bufferedPageRequest({ method, host, header, head, body }: BufferedRequest): PageRequest {
  const readBody = async () => (body !== undefined && body.byteLength > maxBodyBytes ? undefined : (body ?? noBytes));
  return { method, host, header, head, body: readBody };
}

export function pageRequestOf(request: Request): PageRequest {
  const { method, headers, url } = request;
  return {
    method,
    host: new URL(url).host,
    header: (name) => headers.get(name) ?? undefined,
    body: () => bodyOf(request),
    head: () => new Request(url, { method, headers }),
  };
}

async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length');
  if (announced === null || !/^\d+$/.test(announced)) return readBytes(request.body, maxBodyBytes);
  if (Number(announced) > maxBodyBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBodyBytes ? undefined : bytes;
}

/** Reads a body. Beyond `limit` bytes, leaves the rest unread and resolves with `undefined`. */
export async function readBytes(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Buffer | undefined> {
  if (body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return undefined; // leaving the loop cancels the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
