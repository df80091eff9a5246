// The one record of what app, page, proxy and site say to each other. Terminal, cards, list of calls, fixtures and tapes read it.
import type { WireError } from '@gantry/wire';

/** Goes up when an entry changes so that an older reader would misread it. */
export const recordVersion = 1;

/** What every entry says. */
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

/** What happened. `call` numbers calls of one place; a reply, a decision and an upstream request name their call. */
export type Happening =
  | { readonly kind: 'handshake'; readonly sdk?: string; readonly capabilities: readonly string[] }
  | { readonly kind: 'context'; readonly context: unknown }
  | { readonly kind: 'call'; readonly call: number; readonly operation: string; readonly params: unknown }
  /** How the page got the result: from its cache, by a request, with another gadget's request, or over a write on its way. */
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
  /** Something that the app asked of the page: its height, title, a dialog. */
  | { readonly kind: 'action'; readonly name: string; readonly params: unknown; readonly error?: WireError }
  /** A request that the proxy made to the site, without signature and tokens. */
  | {
      readonly kind: 'upstream';
      readonly operation?: string;
      readonly method: string;
      /** Path and query. */
      readonly target: string;
      readonly status: number;
      readonly tookMs: number;
    }
  /** The proxy's cache. */
  | { readonly kind: 'cache'; readonly outcome: string }
  /** What became of a document: it loads, is ready, reloads, was updated in place, ended. */
  | {
      readonly kind: 'load';
      readonly what: 'start' | 'ready' | 'update' | 'reload' | 'end' | 'failed';
      readonly why?: string;
    }
  /** What the agent in the frame saw. */
  | {
      readonly kind: 'script-error';
      readonly message: string;
      readonly stack?: string;
      readonly where?: SourcePlace;
      readonly rejection?: boolean;
    }
  | { readonly kind: 'policy'; readonly directive: string; readonly blocked: string; readonly where?: SourcePlace }
  | { readonly kind: 'console'; readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error'; readonly text: string }
  | { readonly kind: 'long-task'; readonly ms: number }
  /** The builder: a file that cannot be compiled, and its mending. */
  | {
      readonly kind: 'build';
      readonly problem?: { readonly message: string; readonly where?: SourcePlace; readonly frame?: string };
    }
  /** `gadget.json` was read: what is wrong with it, or what members will be asked that they were not before. */
  | { readonly kind: 'manifest'; readonly problem?: string; readonly asks?: readonly string[] }
  | { readonly kind: 'clock'; readonly jumpMs: number }
  | { readonly kind: 'fault'; readonly fault: string; readonly operation?: string };

/** A place in a source file of the app, found by the module's own map. */
export interface SourcePlace {
  /** Relative to the app's folder. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

export type Entry = EntryHead & Happening;

/** The record of one run, in memory. Keeps the latest 20,000 entries. */
export interface Record {
  readonly version: typeof recordVersion;
  readonly entries: readonly Entry[];
  add(happening: Happening & Pick<EntryHead, 'lab' | 'app' | 'place'>): Entry;
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
