/**
 * The protocol of the private port between a container page and the app in one of its frames.
 *
 * Requirements
 * 1. The app is hostile: no message of its makes the page read, write, construct or throw anything.
 * 2. The port belongs to one load of one document. A document that came by navigation never gets it.
 * 3. Who asks is the container's record for the port; no message says it.
 * 4. Every request settles exactly once: answered, refused, aborted, timed out, or ended with its document.
 * 5. Requests of one tick are one message; answers cross as they are, without a walk or a copy.
 * 6. Each side tells its version before anything else; a newer other side gives a readable error.
 *
 * Course
 * 1. The container opens the frame at `<document>#gantry=1.<nonce>.<container origin>` and waits.
 * 2. The app makes a `MessageChannel` and posts `Hello` with one port to `window.parent`, at that origin only.
 * 3. The container takes one hello per load, from that frame's window, with its nonce, and answers `Welcome` on the port.
 * 4. The app calls `ContainerMethods` with Comlink's messages. `request` returns the replies that were ready at once; the others
 *    follow as `Replies`, those of one tick together. A watched request is answered again whenever its result changes.
 * 5. `Closed` ends it from the container's side. The frame's next `load` does, too: a new load is a new frame.
 */
import type { Reply, WireError } from '@gantry/wire';
import type { AppContext } from './app-context.ts';

/** Both sides must speak the same one. */
export const protocolVersion = 1;

/** App to container, on the window, with exactly one transferred port. */
export interface Hello {
  readonly gantry: 'hello';
  readonly version: number;
  readonly nonce: string;
}

/** Container to app, first message on the port. */
export interface Welcome {
  readonly gantry: 'welcome';
  readonly version: number;
  readonly context: AppContext;
}

/** Container to app: replies that were not ready when their request came, and new values of watched requests. */
export interface Replies {
  readonly gantry: 'replies';
  readonly replies: readonly ReplyItem[];
}

/** Container to app: something happened on the page. */
export interface ContainerEvent {
  readonly gantry: 'event';
  readonly name: string;
  readonly data: unknown;
}

/** Container to app, last message on the port: what still waits is answered with this error. */
export interface Closed {
  readonly gantry: 'closed';
  readonly error: WireError;
}

/** Everything that the container posts beside the answers to calls. */
export type ContainerMessage = Welcome | Replies | ContainerEvent | Closed;

/** A call of an app. The parameters stay JSON text: equal text means the same call, so the page rarely has to read it. */
export interface AppRequest {
  /** Name of the call in `osapi`, for example `people.get`. */
  readonly operation: string;
  /** JSON text of an object. */
  readonly params: string;
}

/** `id` is the app's, unique among its open requests. With `true`, newer values follow until it is cancelled. */
export type RequestItem = readonly [id: string, operation: string, params: string, watched?: true];
export type ReplyItem = readonly [id: string, reply: Reply];

/** All that an app can call. Each answers with data; none throws. */
export interface ContainerMethods {
  /** The replies that are ready now; an error is the answer to the whole batch. */
  request(batch: readonly RequestItem[]): readonly ReplyItem[] | { readonly error: WireError };
  /** Gives up requests and watches; no more replies come for them. */
  cancel(ids: readonly string[]): Reply;
  /** Runs one of the container's actions. */
  act(name: string, args: readonly unknown[]): Promise<Reply>;
}

/** Requests in one message; an app's side splits what is more. */
export const batchLimit = 500;

/** What one port may ask for. An honest app meets none of these. */
export const limits = {
  /** Code units of a message id or request id. */
  idLength: 128,
  /** Requests and watches that one port may have open. */
  openRequests: 2_000,
  /** Arguments of one message: their number, and of all together nesting, number of values, and code units of all text and keys. */
  args: 2,
  depth: 64,
  values: 200_000,
  text: 8 * 1024 * 1024,
  /** Messages of one second; more are answered with RATE_LIMITED, twice as many close the port. */
  messagesPerSecond: 20_000,
  /** Messages dropped as malformed before the port closes. */
  drops: 100,
} as const;
