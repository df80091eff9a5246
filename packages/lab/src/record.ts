// The one record of what app, page, proxy and site say to each other. Terminal, cards, list of calls, fixtures and tapes read it.
import type { Observed, WireError } from '@gantry/wire';

export { createExplainer, type Explainer } from './explain/create-explainer.ts';
export { explain } from './explain/explain.ts';
export type { Explanation, Known, ManifestFacts } from './explain/explanation.ts';
export { type TroubleId, troubles } from './explain/troubles.ts';

/** Goes up when an entry changes so that an older reader would misread it. */
export const recordVersion = 1;

/** Members of every entry. */
export interface EntryHead {
  /** Counts from 1 in one record. */
  readonly number: number;
  /** Milliseconds since the epoch, by the lab's clock. */
  readonly atMs: number;
  /** Names the lab. */
  readonly lab: string;
  /** Id of the app; absent for what concerns no app. */
  readonly app?: string;
  /** Names the place of a gadget on the page; absent for what concerns none. */
  readonly place?: string;
}

/** Something that happened: observed by a page of its gadgets, or known to tools only. */
export type Happening =
  | Observed
  /** A request that the proxy made to the site, without signature and tokens. */
  | {
      readonly kind: 'upstream';
      readonly operation?: string;
      readonly method: string;
      /** Path and query. */
      readonly target: string;
      /** HTTP status; 0 where no answer came. */
      readonly status: number;
      readonly tookMs: number;
      readonly outcome?: 'answered' | 'unavailable' | 'unreachable' | 'late';
    }
  /** The decision of the proxy's cache about a read. */
  | {
      readonly kind: 'cache';
      readonly outcome: 'kept' | 'confirmed' | 'asked' | 'joined';
      readonly operation?: string;
    }
  /** A call that proxy or site refused, or a whole request of the page (`path`). */
  | {
      readonly kind: 'refusal';
      readonly error: WireError;
      readonly operation?: string;
      readonly path?: string;
      /** Member for whom the app called; absent where no one is signed in, and for a whole request. */
      readonly viewer?: string;
    }
  /** A limit that was reached: calls of one member and app in a minute, or calls of one app at once. */
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
  /** A file that an element of the app's page names and that did not load: its path in the app's folder, or another address. */
  | { readonly kind: 'file'; readonly element: string; readonly address: string }
  /** A call or link that the frame's sandbox lets do nothing, without an error: `alert`, `window.open`, a link to a new tab. */
  | { readonly kind: 'sandbox'; readonly name: string; readonly target?: string; readonly where?: SourcePlace }
  /** The agent saw more than it may report: so many happenings are not in the record. */
  | { readonly kind: 'left-out'; readonly count: number }
  /** The builder: a file that cannot be compiled, or, without a problem, its mending. */
  | {
      readonly kind: 'build';
      readonly problem?: { readonly message: string; readonly where?: SourcePlace; readonly frame?: string };
    }
  /** `gadget.json` was read: what is wrong with it, or what members will be asked that they were not before. */
  | {
      readonly kind: 'manifest';
      readonly problem?: string;
      readonly where?: SourcePlace;
      readonly asks?: readonly string[];
    }
  | { readonly kind: 'clock'; readonly jumpMs: number; readonly isStopped?: boolean }
  /** A fault that the lab made struck a call or a request. */
  | { readonly kind: 'fault'; readonly fault: string; readonly operation?: string; readonly viewer?: string };

/** A place in a source file of the app, found by the module's own map. */
export interface SourcePlace {
  /** Relative to the app's folder. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  /** The line itself, cut off at 200 characters. */
  readonly text?: string;
}

export type Entry = EntryHead & Happening;

/** A happening that a page has seen, as it sends it to the record. */
export type Report = Happening & Pick<EntryHead, 'lab' | 'app' | 'place'>;

/** The record of one run, in memory. Keeps the latest 20,000 entries. */
export interface Record {
  readonly version: typeof recordVersion;
  readonly entries: readonly Entry[];
  /** @param happening.atMs Default: now. */
  add(happening: Report & Partial<Pick<EntryHead, 'atMs'>>): Entry;
  /** Hears each entry from now on, until the returned function is called. */
  subscribe(listener: (entry: Entry) => void): () => void;
}

const mostEntries = 20_000;

/** @param options.now Milliseconds since the epoch. */
export function createRecord({ now = Date.now }: { readonly now?: () => number } = {}): Record {
  const entries: Entry[] = [];
  const listeners = new Set<(entry: Entry) => void>();
  let number = 0;
  return {
    version: recordVersion,
    entries,
    add(happening) {
      number += 1;
      const entry: Entry = { number, atMs: now(), ...happening };
      entries.push(entry);
      if (entries.length > mostEntries) entries.splice(0, mostEntries / 10);
      for (const listener of listeners) listener(entry);
      return entry;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
