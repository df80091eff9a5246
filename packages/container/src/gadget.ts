import type { AppRequest, OpenRequest } from '@gantry/bridge';
import type { Clock, Consent, GadgetContext, GrantsAnswer, Reply } from '@gantry/wire';
import type { loadApp } from './app-load.ts';
import type { Decision } from './consent/decide.ts';
import type { ToolOptions } from './container-options.ts';
import type { Observation } from './observing.ts';
import type { TextStorage } from './storage.ts';
import type { Rollback } from './upkeep.ts';
import type { PlaceWrites } from './writes.ts';

/** @param isDecided The member decided about the app, or it is another one now. */
export type OnReplace = (isDecided?: boolean) => void;

/** A view with its parameters. */
export interface Shown {
  readonly view: string;
  readonly params: Readonly<Record<string, string>>;
}

/** One mounted gadget. Which app, viewer and owner it speaks for is settled here, not by what it asks. */
export interface Gadget {
  readonly instance: string;
  /** Starts its app in a document. */
  readonly load: typeof loadApp;
  /** As `Instance.upstream`: what is kept under another one is not this app's. */
  readonly upstream: string;
  /** Absolute URL of the app's document for the view that it shows. */
  readonly document: string;
  /** The frame's `sandbox` attribute. */
  readonly sandbox: string;
  /** As the proxy said it, with what the member allowed meanwhile. */
  context: GadgetContext;
  consent: Consent;
  /** With the last permission the member can also take back what the app saved. */
  readonly canRemoveData: boolean;
  /** The site refused a write because the member does not have the app. */
  isNotAdded: boolean;
  onNotAdded?: () => void;
  /** Calls that the app asks members for; on a developer's machine only. */
  readonly declared: readonly string[] | undefined;
  /** Calls that it made. */
  readonly used: ReadonlySet<string>;
  /** The member allowed the app something optional. */
  onGranted?: () => void;
  /** Keeps what the member decided about the app, for all its gadgets in this browser. Never rejects. */
  decide(decision: Decision): Promise<Reply<GrantsAnswer>>;
  /** Goes to a view because the member wants it; there while the app runs. */
  go?: ((view: string) => void) | undefined;
  /** View and parameters that the app shows; they change as it navigates, and outlive each of its loads. */
  shown: Shown;
  /** A value where the answer is known, else a promise. Never throws and never rejects. */
  answer(request: AppRequest, open?: OpenRequest): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before, until the returned function is called. Asks nothing itself. */
  watch(request: AppRequest, push: (reply: Reply) => void): () => void;
  /** Hears of writes of this gadget that were shown and did not come to be, until the returned function is called. */
  onRollback(listener: (rollback: Rollback) => void): () => void;
  readonly writes: PlaceWrites;
  /** As the container has it. */
  readonly clock: Clock;
  /** As the container has it. */
  readonly tools: Omit<ToolOptions, 'observe'>;
  /** Returns where texts last as long as the tab. Throws where a browser denies that. */
  texts(): TextStorage;
  /** Absent where nobody observes. */
  readonly observed: Observation | undefined;
  close(): void;
}

export interface Mounted {
  readonly gadget: Gadget;
  readonly onReplace: OnReplace;
  readonly rollbackListeners: Set<(rollback: Rollback) => void>;
}
