import type { Middleware, ProxyObserver } from '@gantry/proxy';
import type { Every } from '@gantry/store';
import type { OpenStores } from './data/stores.ts';

/** Options for tools and tests, which control time, randomness and data. Sites set none. */
export interface ToolOptions {
  /** Milliseconds since the epoch, for everything that has a time. */
  readonly now?: (() => number) | undefined;
  /** Random bytes for ids, nonces, instances and tokens. Predictable bytes are for tests only. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  /** Waits between attempts, in milliseconds. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
  /** Repeats work: polls for changes, heartbeats of event streams. */
  readonly every?: Every | undefined;
  /**
   * Open stores with this release's schema, instead of those that `data` and `database` name.
   * `close` closes them; if `createGantry` throws they stay open.
   */
  readonly stores?: OpenStores | undefined;
  /** Listens to the proxy's events, in addition to the telemetry. */
  readonly observe?: Partial<ProxyObserver> | undefined;
  /** A step between an app's calls and the cache, for example to inject faults. */
  readonly middleware?: Middleware | undefined;
}
