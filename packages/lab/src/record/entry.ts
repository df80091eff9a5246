import type { Observed, WireError } from '@gantry/wire';

export interface EntryHead {
  /** Counts from 1 in one record. */
  readonly number: number;
  /** Milliseconds since the epoch, by the lab's clock. */
  readonly atMs: number;
  /** Name of the lab. */
  readonly lab: string;
  /** Id of the app; absent in entries about none. */
  readonly app?: string;
  /** Place of the gadget on its page, such as `m-1/notes#1`; absent in entries about none. */
  readonly place?: string;
}

/** An event: observed by a page of its gadgets, or known to tools only. */
export type LabEvent =
  | Observed
  /** A request that the proxy made to the site, without signature and tokens. */
  | {
      readonly kind: 'upstream';
      readonly operation?: string;
      readonly method: string;
      /** Path and query. */
      readonly target: string;
      /** HTTP status; 0 without a response. */
      readonly status: number;
      readonly tookMs: number;
      readonly outcome?: 'answered' | 'unavailable' | 'unreachable' | 'late';
    }
  /** The decision of the proxy's cache about a read. */
  | { readonly kind: 'cache'; readonly outcome: 'kept' | 'confirmed' | 'asked' | 'joined'; readonly operation?: string }
  /** A call that proxy or site refused, or a whole request of the page (`path`). */
  | {
      readonly kind: 'refusal';
      readonly error: WireError;
      readonly operation?: string;
      readonly path?: string;
      /** Viewer of the app; absent if signed out, and for a whole request. */
      readonly viewer?: string;
    }
  /** A limit was reached: calls of a member and app in a minute, or concurrent calls of an app. */
  | { readonly kind: 'limit'; readonly limit: 'rate' | 'concurrency'; readonly viewer?: string }
  /** Observed by the agent in the frame. */
  | {
      readonly kind: 'script-error';
      readonly message: string;
      readonly stack?: string;
      readonly where?: SourcePlace;
      /** It was thrown in a promise. */
      readonly rejection?: boolean;
    }
  | { readonly kind: 'policy'; readonly directive: string; readonly blocked: string; readonly where?: SourcePlace }
  | {
      readonly kind: 'console';
      readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
      readonly text: string;
      readonly where?: SourcePlace;
    }
  | { readonly kind: 'long-task'; readonly ms: number }
  /** The content was taller than its frame for two seconds. */
  | { readonly kind: 'cut-off' }
  /** A file that did not load: its path in the app's folder, or another address. */
  | { readonly kind: 'file'; readonly element: string; readonly address: string }
  /**
   * A call or link that the sandbox ignores or refuses, though its error may be caught: `alert`, a
   * link to a new tab, `localStorage`.
   */
  | { readonly kind: 'sandbox'; readonly name: string; readonly target?: string; readonly where?: SourcePlace }
  /** A person's click, key, text or choice in the frame, by role and name of its element. */
  | {
      readonly kind: 'input';
      readonly what: 'click' | 'press' | 'fill' | 'select';
      /** Local name of the element. */
      readonly element: string;
      readonly role?: string;
      readonly label?: string;
      /** Counts the shown elements of this role from 0. */
      readonly index?: number;
      /** Counts those of this role and name, if there are several. */
      readonly twin?: number;
      readonly key?: string;
      /** Text that is in the field now; absent for a password. */
      readonly text?: string;
      /** Number of the chosen option. */
      readonly option?: number;
    }
  /** Events that the agent dropped, beyond the rate that it may report. */
  | { readonly kind: 'left-out'; readonly count: number }
  /** A file that the builder cannot compile; without `problem`, a successful build. */
  | {
      readonly kind: 'build';
      readonly problem?: { readonly message: string; readonly where?: SourcePlace; readonly frame?: string };
    }
  /** `gadget.json` was read, with its problem or the permissions that it newly asks for. */
  | { readonly kind: 'manifest'; readonly problem?: string; readonly asks?: readonly string[] }
  | { readonly kind: 'clock'; readonly jumpMs: number; readonly isStopped?: boolean }
  /** A fault that was injected into a call or a request. */
  | { readonly kind: 'fault'; readonly fault: string; readonly operation?: string; readonly viewer?: string };

/** A place in a source file of the app, found with the source map of its module. */
export interface SourcePlace {
  /** Relative to the app's folder. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  /** The line itself, cut off at 200 characters. */
  readonly text?: string;
}

export type Entry = EntryHead & LabEvent;

/** An event as a page reports it. */
export type Report = LabEvent & Pick<EntryHead, 'lab' | 'app' | 'place'>;
