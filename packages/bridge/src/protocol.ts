/**
 * The protocol of the private port between a container page and the app in one of its frames: the messages and their
 * limits. What they are for, and in what order they come, stands in `docs/bridge-protocol.md`.
 */
import type { Reply, ReplyMeta, VersionRange, WireError } from '@gantry/wire';
import type { AppContext } from './app-context.ts';

/** App to container, on the window, with exactly one transferred port. */
export interface Hello {
  readonly gantry: 'hello';
  /** Least and greatest version that the app speaks; `[1]` of an SDK of 0.1.0. The two sides take the greatest that they share. */
  readonly versions: VersionRange | readonly [number];
  /** Package version of the SDK. */
  readonly sdk?: string;
  /** First release of Gantry whose pages speak the least version of these. */
  readonly needs?: string;
  readonly nonce: string;
  /** What the app's side can do beyond the least; words that the container does not know mean nothing. */
  readonly capabilities: readonly string[];
}

/** Container to app, first message on the port. */
export interface Welcome {
  readonly gantry: 'welcome';
  /** The version that both will speak. */
  readonly version: number;
  /** The actions that the app may run; others answer NOT_IMPLEMENTED. */
  readonly capabilities: readonly string[];
  readonly context: AppContext;
}

/** Container to app: replies that were not ready when their request came, and new values of watched requests. */
export interface Replies {
  readonly gantry: 'replies';
  readonly replies: readonly ReplyItem[];
}

/** Container to app: something happened on the page. Sent to an app with the capability `events`. */
export interface ContainerEvent {
  readonly gantry: 'event';
  readonly name: string;
  readonly data: unknown;
}

/** Container to app: answer with `pong` and this number, at once. */
export interface Ping {
  readonly gantry: 'ping';
  readonly number: number;
}

/** Container to app, last message on the port: what still waits is answered with this error. */
export interface Closed {
  readonly gantry: 'closed';
  readonly error: WireError;
}

/** Everything that the container posts beside the answers to calls. */
export type ContainerMessage = Welcome | Replies | ContainerEvent | Ping | Closed;

/** A call of an app. The parameters stay JSON text: equal text means the same call, so the page rarely has to read it. */
export interface AppRequest {
  /** Name of the call in `osapi`, for example `people.get`. */
  readonly operation: string;
  /** JSON text of an object. */
  readonly params: string;
  /** How a write wants to be treated. Whatever the app wrote: the container checks it. */
  readonly write?: WriteOptions;
}

/** What an app may say about one of its writes. */
export interface WriteOptions {
  /** Its own name for the write, by which it knows it again after a reload: `[A-Za-z0-9_-]{1,64}`. */
  readonly id?: string;
  /** `fail`: where there is no connection, the write is refused instead of waiting for one. */
  readonly offline?: 'fail';
  /** A post that comes too soon waits until it may be made. */
  readonly queue?: boolean;
}

/**
 * `id` is the app's, unique among its open requests. With `true`, newer values follow until it is cancelled; options are those
 * of a write.
 */
export type RequestItem = readonly [id: number, operation: string, params: string, extra?: true | WriteOptions];

/** A reply, flat: nested objects are most of what cloning a small answer costs. `error` is null for a result. */
export type ReplyItem = readonly [
  id: number,
  error: WireError | null,
  ok?: unknown,
  /** Age in milliseconds and, after it, the source; the whole where there is more to say. */
  meta?: number | ReplyMeta,
  source?: ReplyMeta['source'],
];

/** All that an app can call. Each answers with data; none throws. */
export interface ContainerMethods {
  /**
   * The replies that are ready now; an error is the answer to the whole batch.
   *
   * @param batch JSON text of a list of `RequestItem`s: one text is cloned and checked faster than hundreds of small values.
   */
  request(batch: string): readonly ReplyItem[] | { readonly error: WireError };
  /** Gives up requests and watches; no more replies come for them. */
  cancel(ids: readonly number[]): Reply;
  /** Runs one of the container's actions. */
  act(name: string, args: readonly unknown[]): Reply | Promise<Reply>;
  /** Answers a `Ping`. */
  pong(number: number): Reply;
}

/** Requests in one message, and code units of its text if there are several; an app's side splits what is more. */
export const batchLimit = 500;
export const batchText = 65_536;

/** What one port may ask for. An honest app meets none of these. */
export const limits = {
  /** Capabilities of a hello that are heard, and code units of one. */
  capabilities: 100,
  capabilityLength: 64,
  /** Code units of a message id. */
  idLength: 128,
  /** Requests and watches that one port may have open. */
  openRequests: 2_000,
  /** Arguments of one message: their number, and of all together nesting, number of values, and code units of all text and keys. */
  args: 2,
  depth: 64,
  values: 200_000,
  text: 8 * 1024 * 1024,
  /**
   * Messages that it may send in the long run, and for how long it saves up what it does not send. What goes beyond is answered
   * with RATE_LIMITED; as much again closes the port. A message counts once more for each `size` that is in it: code units
   * of text and keys, and eight for each value.
   */
  messagesPerSecond: 1_000,
  savedSeconds: 20,
  size: 1_024,
  /**
   * Milliseconds in which the page reads and answers its messages, in the long run; saved up like messages. What goes beyond
   * closes the port. One message counts at most the second number.
   */
  readingMsPerSecond: 200,
  longestReadingMs: 1_000,
  /**
   * Code units of a message with a single request, as long as the largest AppData write that a site accepts needs; and strings
   * in one JSON text, names of members included, which are counted before it is parsed.
   */
  callText: 448 * 1_024,
  strings: 5_000,
  /** Arguments that an action gets. */
  actionArgs: 8,
  /** Messages dropped as malformed before the port closes. One counts once more for each millisecond that it took. */
  drops: 100,
} as const;
