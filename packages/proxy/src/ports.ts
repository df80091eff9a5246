import type { Bucket, Database, Every } from '@gantry/store';
import type { Logger } from '@gantry/wire/runtime';
import type { ProxyObserver } from './proxy-observer.ts';

/** Database, time, chance and log. Each part of the proxy takes those that it needs. */
export interface Ports {
  readonly db: Database;
  /** Place of the files of apps, instead of the database. */
  readonly bucket?: Bucket | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Waits, in milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
  readonly every: Every;
  readonly log: Logger;
  readonly observe?: Partial<ProxyObserver> | undefined;
}
