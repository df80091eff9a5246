import type { WireError } from './social-error.ts';

/**
 * Something that a gadget and its page say to each other, as tools hear it (`createContainer({ observe })`). `call` numbers the calls of
 * one place, from 1; a decision, a reply and a push name their call.
 */
export type Observed =
  | { readonly kind: 'handshake'; readonly sdk?: string; readonly capabilities: readonly string[] }
  | { readonly kind: 'context'; readonly context: unknown }
  | { readonly kind: 'call'; readonly call: number; readonly operation: string; readonly params: unknown }
  /** Says how the page got a result: from its cache, by a request, with another gadget's request, or over a write on its way. */
  | {
      readonly kind: 'decision';
      readonly call: number;
      readonly decision: 'fresh' | 'stale' | 'asked' | 'joined' | 'optimistic' | 'queued';
      readonly ageMs?: number;
    }
  | {
      readonly kind: 'reply';
      readonly call: number;
      readonly ok?: unknown;
      readonly error?: WireError;
      readonly tookMs: number;
      /** Characters of the reply as JSON. */
      readonly size: number;
    }
  /** A result that was pushed to a subscriber of that call. */
  | {
      readonly kind: 'push';
      readonly call: number;
      readonly ok?: unknown;
      readonly error?: WireError;
      readonly size: number;
    }
  /** An event that the page told the app. */
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  /** Something that the app asked of the page: its height, a title, a dialog. */
  | { readonly kind: 'action'; readonly name: string; readonly params: unknown; readonly error?: WireError }
  /** A document loads, is ready, was updated in place, is loaded anew, ended, or never came to be. */
  | {
      readonly kind: 'load';
      readonly what: 'start' | 'ready' | 'update' | 'reload' | 'end' | 'failed';
      /** A stable word: of a reload or an end, or the reason of an error. */
      readonly why?: string;
      /** Error of a call that failed. */
      readonly error?: WireError;
    }
  /** Reported to the site with the event `gantry-incident`: an error, a restart, an app that does not answer. */
  | { readonly kind: 'incident'; readonly name: string; readonly detail: unknown };

/** App and place of an observation. */
export interface ObservedAt {
  /** Id of the app. */
  readonly app: string;
  /** Names the place of a gadget on its page, the same over its loads. */
  readonly place: string;
}

/** Hears what gadgets and their page say to each other, as it happens. Must not throw. */
export type Observe = (observed: Observed & ObservedAt) => void;
