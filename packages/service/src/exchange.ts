/**
 * A request as the service takes it: what the wire carried, read once. The service's core works on this and on `Answer`
 * instead of `Request` and `Response`, which cost more than the answer to a short read.
 */
export interface Incoming {
  readonly method: string;
  /** Path and query exactly as the client sent them; the signature covers them. */
  readonly rawTarget: string;
  /** Value of `Host`. */
  readonly host: string;
  /** One header by its lower-case name. */
  header(name: string): string | undefined;
  /** At most `maxBody` bytes; absent for none and for an empty one. */
  readonly body: Uint8Array | undefined;
}

/** What the service answers. To `HEAD` it may carry the body of `GET`, so that its length can be told; no wire takes it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Bytes of the largest body (contract §2). */
export const maxBody = 1024 * 1024;
