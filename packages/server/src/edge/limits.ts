/** What one client may take of the server (security rule 20). Times in milliseconds. */
export interface Limits {
  /** From a connection's or the last answer's end to the last byte of a request's headers. */
  readonly headersMs: number;
  /** To the last byte of its body. */
  readonly requestMs: number;
  /** The same, of a body that is received piece by piece: a photo over a slow line. */
  readonly uploadMs: number;
  /** How long a connection is kept for another request. */
  readonly keepAliveMs: number;
  /** How long a connection may move nothing at all, for example because its client reads no answer. */
  readonly silenceMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
  /** Bytes of all headers together with the request line. */
  readonly headerBytes: number;
  readonly headers: number;
  readonly connections: number;
  /** Connections that wait in the system until they are accepted; it may have a smaller limit (`net.core.somaxconn`). */
  readonly backlog: number;
  /** Bytes of all bodies that are being received, whoever sends them. */
  readonly bodiesBytes: number;
  /** Requests that are worked on at the same time, before new ones are refused. */
  readonly inFlight: number;
  /** How late the event loop may be, before new requests are refused. */
  readonly lagMs: number;
  /** Time that a request may wait for its work to begin. */
  readonly waitMs: number;
  /** The same once requests have been waiting without a pause for `waitMs`. */
  readonly standingWaitMs: number;
  /** Requests that may wait however long: so few are a few clients of a slow machine, not more than it can do. */
  readonly fewWaiting: number;
}

export const defaultLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  uploadMs: 300_000,
  keepAliveMs: 10_000,
  silenceMs: 60_000,
  checkMs: 2_000,
  headerBytes: 16 * 1024,
  headers: 100,
  connections: 10_000,
  backlog: 4_096,
  bodiesBytes: 256 * 1024 * 1024,
  inFlight: 1_000,
  lagMs: 1_000,
  waitMs: 1_000,
  standingWaitMs: 200,
  fewWaiting: 20,
};
