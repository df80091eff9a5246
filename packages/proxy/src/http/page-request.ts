import { type HttpRequest, type HttpResponse, maxBodyBytes, type PageViewer } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';

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

export type PageResponse = HttpResponse;

/**
 * Handles the requests of one path. Throws SocialError to refuse one.
 *
 * @param viewer The signed-in member, never another person.
 */
export type Endpoint = (page: PageRequest, viewer: PageViewer | undefined) => Promise<PageResponse>;

/** An endpoint that has work to do while the viewer is looked up. */
export type EarlyEndpoint = (page: PageRequest, viewer: Promise<PageViewer | undefined>) => Promise<PageResponse>;

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

async function bodyOf({ headers, body }: Request): Promise<Uint8Array | undefined> {
  return Number(headers.get('content-length') ?? 0) > maxBodyBytes ? undefined : readBytes(body, maxBodyBytes);
}
