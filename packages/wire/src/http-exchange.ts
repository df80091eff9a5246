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

/** An HTTP response as data. To `HEAD` it may carry the body of `GET`, for its length. */
export interface HttpResponse<Body = string | Uint8Array | null> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A read that was answered before, and the validator of that answer. */
export interface ConditionalRead {
  /** Path and query, with the requestor. */
  readonly rawTarget: string;
  readonly consumerKey: string;
  readonly requestorId: string;
  readonly etag: string;
}

/** Bytes of the largest body (contract §2). */
export const maxBodyBytes = 1024 * 1024;
