import type { Greeting, PageContext } from '@gantry/bridge';
import type { VersionMismatch } from '@gantry/wire';
import type { ChromeAction } from './chrome-actions.ts';
import type { Action, Actions, BarePlace, Gadget, Place } from './gadget.ts';
import type { LoadEnd } from './gadget-state.ts';
import type { AppDocument } from './load/app-document.ts';
import type { PendingLoads } from './load/pending-loads.ts';

/** One service of the container for an app beside its requests. Made anew for each load. */
export interface Feature {
  /** Functions that the app may run, by name. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** Returns its share of the context that the app gets with the welcome. */
  context?(): Partial<PageContext>;
  /** The app said hello and holds its port. */
  ready?(): void;
  /** The load is over. */
  end?(): void;
}

/** A feature that takes a `BarePlace` works without a page. */
export type CreateFeature<At extends BarePlace = Place> = (place: At) => Feature;

/** One load of an app: a document and a connection, which end together. */
export interface AppLoad {
  /** Resolves when the app is ready or the load is over. */
  readonly settled: Promise<void>;
  /** Resolves with the milliseconds until the app responded; rejects when the load is over. */
  ping(): Promise<number>;
  end(): void;
  /** Ends the load after giving the app up to half a second to save. */
  leave(): Promise<void>;
}

/** Options of each load, with or without a page. */
export interface StartOptions<Extras extends object>
  extends Pick<BarePlace, 'locale' | 'messages' | 'dispatch' | 'retitle' | 'warn'> {
  readonly greeting: Greeting;
  /** Members of the place beside the bare ones: in a browser, element and frame. */
  readonly extras: Extras;
  readonly features: readonly CreateFeature<BarePlace & Extras>[];
  readonly pendingLoads: PendingLoads;
  /** Time for the app's hello. */
  readonly startMs: number;
  /** Messages that the app may send in the long run. */
  readonly messagesPerSecond: number;
  readonly onReady: () => void;
  /** The document has no effect any more. May be called twice. */
  readonly onOver?: () => void;
  /** Called at most once, and not after `end`. */
  readonly onEnd: (why: LoadEnd, mismatch?: VersionMismatch) => void;
}

/** Document and element of a load on a page, beside the options of each load. */
export interface LoadOptions extends Omit<StartOptions<never>, 'greeting' | 'extras' | 'features' | 'onOver'> {
  /** Document of this gadget, made for this load; it may have loaded already. */
  readonly document: AppDocument;
  /** The `<gantry-gadget>` in which the frame will stand. */
  readonly element: HTMLElement;
  readonly ask: Place['ask'];
  /** The document has loaded and its app is ready. */
  readonly onLoad: () => void;
}

/** Starts an app in a document, which ends with its connection. */
export type LoadApp = (gadget: Gadget, options: LoadOptions) => AppLoad;

/** Chrome of a load, from when its app is ready to the end of the load. */
export interface MountedChrome {
  readonly actions: Actions<ChromeAction>;
  /** Goes to a view on the member's behalf. */
  go(view: string): void;
  end(): void;
}
