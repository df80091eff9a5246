// The protocol between a container page and an app in one of its frames.
//
// A load opens a new frame at `<document>#gantry=1.<nonce>.<origin>`. The app's document removes
// the fragment, makes a `MessageChannel` and posts `Hello` with one port to exactly that origin.
// The page takes one hello for each load, from that window, origin and nonce, and sends `Welcome`
// on the port. Then the app calls `ContainerMethods` in Comlink's format, and the page sends
// `Replies`, events and pings, until `Closed`. A new document in the frame needs a new load with
// a new nonce.
//
// It is required that
// 1. the app is hostile: no message makes the page read, write, construct or throw anything;
// 2. the port belongs to one load of one document, and never to one that came by navigation;
// 3. the page's own record of the port says who asks, and no message can;
// 4. every call settles exactly once: answered, refused, aborted, timed out, or ended with its
//    document;
// 5. nothing sent too early is lost: each side keeps it until the other is there;
// 6. calls of one tick are one message, and so are replies that are ready at once, so that a small
//    call costs little more than its share of a bare message;
// 7. each side says its versions and capabilities first; unknown ones are ignored, and missing ones
//    are `undefined` or NOT_IMPLEMENTED;
// 8. a document that is gone or busy is noticed without its help, also when it left before `load`;
// 9. others speak the message format: Comlink's, without its code on either end (decisions 3, 11).
//
// docs/bridge-protocol.md has all messages, limits and errors, and the rules for another SDK.

import type { Reply, ReplyMeta, VersionRange, WireError } from '@gantry/wire';
import type { Rate } from '@gantry/wire/runtime';
import type { AppContext } from './app-context.ts';

/** App to container, on the window, with exactly one transferred port. */
export interface Hello {
  readonly gantry: 'hello';
  /** Least and greatest version of the app; `[1]` of SDK 0.1.0. The greatest common one is used. */
  readonly versions: VersionRange | readonly [number];
  /** Package version of the SDK. */
  readonly sdk?: string;
  /** First release of Gantry whose pages speak the least of these versions. */
  readonly needs?: string;
  readonly nonce: string;
  /** Optional abilities of the app's side; unknown words are ignored. */
  readonly capabilities: readonly string[];
}

/** Container to app, first message on the port. */
export interface Welcome {
  readonly gantry: 'welcome';
  /** Version that both sides use. */
  readonly version: number;
  /** The actions that the app may run; others answer NOT_IMPLEMENTED. */
  readonly capabilities: readonly string[];
  readonly context: AppContext;
  /** Fresh results of what the manifest preloads, for apps with the capability `leases`. */
  readonly preloads?: readonly Preload[];
}

/** Operation and parameters of a call as one text, and its leased reply, whose id is below 0. */
export type Preload = readonly [call: string, reply: LeasedItem];

/** Container to app: replies that were not ready at once, and new values of watched requests. */
export interface Replies {
  readonly gantry: 'replies';
  readonly replies: readonly ReplyItem[];
}

/** Container to app: an event of the page, for apps with the capability `events`. */
export interface ContainerEvent {
  readonly gantry: 'event';
  readonly name: string;
  readonly data: unknown;
}

/** Container to app: leases that end, by the ids of their replies. */
export interface Ended {
  readonly gantry: 'ended';
  readonly leases: readonly number[];
}

/** Container to app: a ping, which the app answers with `pong` and this number. */
export interface Ping {
  readonly gantry: 'ping';
  readonly number: number;
}

/** Container to app, last message on the port: the error for all pending requests. */
export interface Closed {
  readonly gantry: 'closed';
  readonly error: WireError;
}

/** All messages of the container except the values of method calls. */
export type ContainerMessage = Welcome | Replies | ContainerEvent | Ended | Ping | Closed;

/** A call of an app. Parameters stay JSON text: the page compares it and rarely parses it. */
export interface AppRequest {
  /** Name of the call in `osapi`, for example `people.get`. */
  readonly operation: string;
  /** JSON text of an object. */
  readonly params: string;
  /** Options of a write, unchecked. */
  readonly write?: WriteOptions | undefined;
}

/** An app's options for a write. */
export interface WriteOptions {
  /** The app's id for the write, to recognize it after a reload: `[A-Za-z0-9_-]{1,64}`. */
  readonly id?: string;
  /** `fail`: refuses the write without a connection, instead of waiting for one. */
  readonly offline?: 'fail';
  /** Lets a post that comes too soon wait instead of failing. */
  readonly queue?: boolean;
}

/**
 * A request on the port. `id` is unique among the app's open requests. `extra` is `true` for a
 * watch, which gets newer values until it is cancelled, or has the options of a write.
 */
export type RequestItem = readonly [id: number, operation: string, params: string, extra?: true | WriteOptions];

/** A reply as a flat list, which is cheap to clone. `error` is null for a result. */
export type ReplyItem =
  | LeasedItem
  | readonly [
      id: number,
      error: WireError | null,
      ok?: unknown,
      /** Age in milliseconds, followed by the source; the whole object if it has more members. */
      meta?: number | ReplyMeta,
      source?: ReplyMeta['source'],
    ];

/** A result that the app may use again without asking, until it is `Ended`. */
export type LeasedItem = readonly [
  id: number,
  error: null,
  ok: unknown,
  /** Arrival at the page, in milliseconds since the epoch. */
  storedAtMs: number,
  /** Time from then on in which it may be used. */
  freshMs: number,
  /** The cache by default. */
  source?: ReplyMeta['source'],
];

/** All methods that an app can call. They return data and never throw. */
export interface ContainerMethods {
  /**
   * Starts requests. Returns the replies that are ready, or an error for the whole batch.
   *
   * @param batch JSON text of a list of `RequestItem`s: one text is cloned and checked faster than
   * hundreds of small values.
   */
  request(batch: string): readonly ReplyItem[] | { readonly error: WireError };
  /** Cancels requests and watches; no replies follow. */
  cancel(ids: readonly number[]): Reply;
  /** Runs one of the container's actions. */
  act(name: string, args: readonly unknown[]): Reply | Promise<Reply>;
  /** Replies to a `Ping`. */
  pong(number: number): Reply;
}

/** Requests in one message, and code units of its text if there are several. SDKs split batches. */
export const batchLimit = 500;
export const batchText = 65_536;

/** Limits of one port. Ordinary apps reach none of them. */
export const limits = {
  /** Capabilities of a hello that are read, and code units of one. */
  capabilities: 100,
  capabilityLength: 64,
  /** Code units of a message id. */
  idLength: 128,
  /** Open requests and watches of one port. */
  openRequests: 2_000,
  /** Arguments of one message; their depth, values, and code units of text and keys together. */
  args: 2,
  depth: 64,
  values: 200_000,
  text: 8 * 1024 * 1024,
  /**
   * Messages per second in the long run, and the seconds of them that can be saved up. More get
   * RATE_LIMITED; as many again close the port. A message counts once more for each `size` in it:
   * code units of text and keys, and eight for each value.
   */
  messagesPerSecond: 1_000,
  savedSeconds: 20,
  size: 1_024,
  /**
   * Milliseconds that the page spends on messages, per second in the long run, saved up like
   * messages; more closes the port. One message counts at most the second number.
   */
  readingMsPerSecond: 200,
  longestReadingMs: 1_000,
  /**
   * Code units of a message with one request, enough for the largest AppData write that a site
   * accepts; and strings in its JSON text, including names of members, counted before parsing.
   */
  callText: 448 * 1_024,
  strings: 5_000,
  /** Arguments that an action gets. */
  actionArgs: 8,
  /** Malformed messages before the port closes. Each counts once more per millisecond it took. */
  drops: 100,
} as const;

/** Returns the rate of `perSecond` in the long run, saved up for `limits.savedSeconds`. */
export function rateOf(perSecond: number): Rate {
  return { perMinute: perSecond * 60, burst: perSecond * limits.savedSeconds };
}
