import type { Instance, InstanceAnswer, InstanceRequest, Reply } from '@gantry/wire';
import type { Rights, Scope } from './scope.ts';

/** Identity and token of a call. Never leaves the container's own page (security rule 9). */
export interface Credentials {
  readonly instance: string;
  readonly token: string;
}

/** One gadget on this page. Its identity is this record's, never a message's (security rule 3). */
export interface Session {
  readonly scope: Scope;
  rights: Rights;
  /** Version that it runs; absent for a live folder or a remote app. */
  readonly version?: string | undefined;
  /** Position in the log of changes from which events concern it. */
  readonly since: string | undefined;
  /** Resolves with a token that still has time, renewed if it is `refused` or nearly expired. */
  credentials(refused?: string): Promise<Reply<Credentials>>;
}

/** The sessions of a page, without their gadgets. */
export interface OpenSessions {
  /** Asks the proxy for an instance; requests of one tick are one POST. Never rejects. */
  open(request: InstanceRequest): Promise<InstanceAnswer>;
  /** Begins a session with an instance that was opened. */
  begin(request: InstanceRequest, instance: Instance): Session;
  list(): readonly Session[];
  /** Replaces all gadgets, since another member is signed in. Ignores sessions that have ended. */
  viewerChanged(noticedBy: Session): void;
  /** Replaces one gadget: another app has its id, and starts with a card of its own. */
  appReplaced(noticedBy: Session): void;
}
