/**
 * An HTTP request as data, read once. The core works on this and on `HttpResponse` instead of
 * `Request` and `Response`, which cost more than the answer to a short read.
 */
export interface HttpRequest {
  readonly method: string;
  /** Path and query exactly as the client sent them; signatures cover them. */
  readonly rawTarget: string;
  /** Value of `Host`. */
  readonly host: string;
  /** Returns one header by its lower-case name. */
  header(name: string): string | undefined;
  /** At most `maxBodyBytes`; `undefined` for none and for an empty one. */
  readonly body: Uint8Array | undefined;
}

/**
 * An HTTP response as data. To `HEAD` it may carry the body of `GET`, for its length; a stream
 * under `HEAD` is cancelled, not read. A stream whose `Content-Length` is known fails if it becomes
 * shorter.
 */
export interface HttpResponse<Body = HttpBody> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** The body of a response: bytes that are all there, a stream that is read on demand, or none. */
export type HttpBody = string | Uint8Array | ByteStream | null;

/** The part of `ReadableStream` that needs no types of a platform. Only such streams are passed. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  cancel(reason?: unknown): Promise<void>;
}

/** A read by the site's own proxy, for a service in the same process: it needs no signature. */
export interface UnsignedRead {
  /** Path and query, with the requestor. */
  readonly rawTarget: string;
  readonly consumerKey: string;
  readonly requestorId: string;
  /** Validator of an earlier answer. */
  readonly etag?: string | undefined;
}

/** Bytes of the largest body (contract §2). */
export const maxBodyBytes = 1024 * 1024;
