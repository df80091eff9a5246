import type { ProxyObserver, Stage } from '@gantry/proxy';
import type { Nonces } from '@gantry/service';
import type { Every } from '@gantry/store';
import type { Stores } from './gantry.ts';

/**
 * Options for tools and tests that own a site's time, chance and data. A site for people sets none of them: each then is the
 * system's own.
 */
export interface ToolOptions {
  /** Milliseconds since the epoch: of posts, ages, tokens, signatures, nonces, sessions and limits. */
  readonly now?: (() => number) | undefined;
  /** Random bytes: of ids, nonces, instances and tokens. Bytes that can be guessed belong in tests only. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  /** Waits between attempts, in milliseconds. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
  /** Repeats work: looks at changes, heartbeats of event streams. */
  readonly every?: Every | undefined;
  /**
   * Stores that are open, with today's schema, instead of those that `data` and `database` name. `close` closes them; if
   * `createGantry` throws they stay open.
   */
  readonly stores?: OpenStores | undefined;
  /** Listens to the work of the proxy, beside the telemetry. */
  readonly observe?: Partial<ProxyObserver> | undefined;
  /** A step that every call of an app passes before the cache and the service, such as one that makes faults. */
  readonly stage?: Stage | undefined;
}

/** Everything of a site that is opened before it runs. */
export interface OpenStores extends Stores {
  readonly nonces: Nonces;
  /** The site's own public key in PEM. Absent: the site names none. */
  readonly publicKey?: string | undefined;
}
