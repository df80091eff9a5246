import type { WireError } from './social-error.ts';

/**
 * One message between a gadget and its page, for tools (`createContainer({ observe })`). `call`
 * numbers the calls of one place from 1; a decision, a reply and a push name their call.
 */
export type Observed =
  | { readonly kind: 'handshake'; readonly sdk?: string; readonly capabilities: readonly string[] }
  | { readonly kind: 'context'; readonly context: unknown }
  | { readonly kind: 'call'; readonly call: number; readonly operation: string; readonly params: unknown }
  /** Source of a result: from its cache, by a request, or with a pending write over it. */
  | {
      readonly kind: 'decision';
      readonly call: number;
      readonly decision: 'fresh' | 'stale' | 'asked' | 'joined' | 'optimistic' | 'queued';
      readonly ageMs?: number;
    }
  | ({ readonly kind: 'reply'; readonly tookMs: number } & ObservedReply)
  /** A result that was pushed to a subscriber of that call. */
  | ({ readonly kind: 'push' } & ObservedReply)
  /** An event that the page sent to the app. */
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  /** A request of the app to its page: a height, a title, a dialog. */
  | { readonly kind: 'action'; readonly name: string; readonly params: unknown; readonly error?: WireError }
  /** A document starts to load, is ready, is updated in place, reloads, ends or fails. */
  | {
      readonly kind: 'load';
      readonly what: 'start' | 'ready' | 'update' | 'reload' | 'end' | 'failed';
      /** A stable word: of a reload or an end, or the reason of an error. */
      readonly why?: string;
      readonly error?: WireError;
    }
  /** An error, a restart or an unresponsive app, as the event `gantry-incident` reports it. */
  | { readonly kind: 'incident'; readonly name: string; readonly detail: unknown };

interface ObservedReply {
  readonly call: number;
  readonly ok?: unknown;
  readonly error?: WireError;
  /** Characters of the reply as JSON. */
  readonly size: number;
}

/** App and place of an observation. */
export interface ObservedAt {
  readonly app: string;
  /** Names the place of a gadget on its page, the same over its loads. */
  readonly place: string;
}

/** Called with each message between gadgets and their page. Must not throw. */
export type Observe = (observed: Observed & ObservedAt) => void;
