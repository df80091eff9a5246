import type { Change, InstanceRequest, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { GuardFocus } from './chrome/focus-guard.ts';
import type { Gadget, Observation, OnReplace } from './gadget.ts';
import type { GadgetState } from './gadget-state.ts';
import type { DocumentAddress } from './load/app-document.ts';
import type { LoadOrder } from './load/load-order.ts';
import type { PendingLoads } from './load/pending-loads.ts';
import type { WatchLoad } from './load/responsiveness.ts';
import type { Messages } from './messages/messages.ts';
import type { LoadApp } from './place.ts';
import type { ToolOptions } from './tool-options.ts';

/** The page's side of Gantry: one for all gadgets of a page. */
export interface Container {
  /** BCP 47 tag of the page. */
  readonly locale: string;
  /** The container's own texts, empty before the first `mount` settles. */
  readonly messages: Messages;
  readonly clock: Clock;
  readonly tools: Omit<ToolOptions, 'observe'>;
  /** Absent without an observer. */
  readonly observed: ((host: object, app: string) => Promise<Observation | undefined>) | undefined;
  readonly loadOrder: LoadOrder;
  readonly pendingLoads: PendingLoads;
  /**
   * Asks the proxy for an instance of an app; mounts of one tick are one POST. Its `preload`
   * requests are sent at once, before its frame exists.
   *
   * @param onReplace The gadget is dead and must be mounted anew.
   * @param host The gadget's element, or what stands for one: observed calls are numbered by it.
   * @param onDocument Called when the app's document can begin to load: before the proxy has
   * answered with the address that it had before, else with its answer.
   */
  mount(
    request: InstanceRequest,
    onReplace: OnReplace,
    host?: object,
    onDocument?: (address: DocumentAddress) => void,
  ): Promise<Reply<Gadget>>;
  /** Calls back once the site has resumed a paused app, unless the returned function is called. */
  awaitResume(app: string, onResume: () => void): () => void;
  /** Absent on a server. */
  readonly guardFocus: GuardFocus | undefined;
  /** Starts the app of a mounted gadget. */
  readonly load: LoadApp;
  /** Watches the responsiveness of an app that runs. Resolves with nothing while offline. */
  responsiveness(): Promise<WatchLoad | undefined>;
  /** Announces a gadget's state to screen readers. */
  announce(change: StateChange): void;
  /** Makes results stale after changes elsewhere, and asks again for those that are shown. */
  invalidate(changes: readonly Change[]): void;
  /**
   * Forgets every result and waiting write in this browser, and mounts gadgets anew; for the site
   * to call after it signed its member out. Never rejects.
   */
  purge(): Promise<void>;
}

export interface StateChange {
  readonly element: Element;
  readonly state: GadgetState;
  readonly title: string;
  /** Error text of a gadget that failed. */
  readonly reason: string | undefined;
}
