/** Limits of the server, per client and in all (security rule 20). Times in milliseconds. */
export interface Limits {
  /** From a connection's start or last response to the end of a request's headers. */
  readonly headersMs: number;
  /** To the last byte of its body. */
  readonly requestMs: number;
  /** The same for streamed bodies: a photo over a slow line. */
  readonly uploadMs: number;
  /** Time for which an idle connection is kept. */
  readonly keepAliveMs: number;
  /** Time without any transfer on a connection, for example if its client reads no response. */
  readonly silenceMs: number;
  /** Interval of the check of the first two. */
  readonly checkMs: number;
  /** Bytes of all headers together with the request line. */
  readonly headerBytes: number;
  readonly headers: number;
  readonly connections: number;
  /** Connections that wait in the system; its own limit may be smaller (`net.core.somaxconn`). */
  readonly backlog: number;
  /** Bytes of all bodies being received, from all clients. */
  readonly bodiesBytes: number;
  /** Bytes of answers that were made and not read, of all clients. */
  readonly answersBytes: number;
  /** Requests in work of one connection; more wait. */
  readonly perConnection: number;
  /** Requests in progress before new ones are refused. */
  readonly inFlight: number;
  /** Delay of the event loop before new requests are refused. */
  readonly lagMs: number;
  /** Time that a request may wait for its work to begin. */
  readonly waitMs: number;
  /** The same once requests have been waiting continuously for `waitMs`. */
  readonly standingWaitMs: number;
  /** Requests that may wait without limit: so few are no overload. */
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
  answersBytes: 256 * 1024 * 1024,
  perConnection: 8,
  inFlight: 1_000,
  lagMs: 1_000,
  waitMs: 1_000,
  standingWaitMs: 200,
  fewWaiting: 20,
};
