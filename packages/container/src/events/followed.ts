import type { Change } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { ProxyClient } from '../calls/proxy-client.ts';
import type { OpenSessions } from '../calls/session.ts';

/** A page that follows a stream of events. */
export interface Followed {
  /** Absolute URL of `/gantry/`. */
  readonly base: URL;
  readonly client: Pick<ProxyClient, 'post'>;
  readonly clock: Clock;
  /** Exchanges no messages with other pages. */
  readonly isAlone: boolean;
  /** Those of the gadgets that are mounted now, all of one viewer. */
  readonly sessions: Pick<OpenSessions, 'list' | 'viewerChanged'>;
  invalidate(changes: readonly Change[]): void;
  /**
   * Called when the viewer decided about an app elsewhere, or it or its live version is another;
   * without a name, this may be so of any.
   */
  onAppChanged(app?: string): void;
}

/** Begins to listen for changes. Call the returned function whenever a gadget is mounted. */
export type Follow = (page: Followed) => () => void;
