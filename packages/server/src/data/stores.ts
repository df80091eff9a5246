import type { Nonces } from '@gantry/service';
import type { Bucket, Database } from '@gantry/store';
import type { DatabaseSetting } from '../setup/database-address.ts';
import type { Secrets } from '../setup/secrets.ts';
import type { Keys } from './key-ring.ts';

/** Keys, database and media of a site: the input of the commands. */
export interface Stores extends Keys {
  readonly db: Database;
  readonly mediaFolder: string;
  /** Place of photos and of the files of apps, instead of that folder and the database. */
  readonly bucket?: Bucket | undefined;
}

/** Everything of a site that is opened before it runs. */
export interface OpenStores extends Stores {
  readonly nonces: Nonces;
}

export interface StorePlace extends DatabaseSetting, Pick<Secrets, 'masterKey'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Address of a bucket: `s3://name`. Absent: there is none. */
  readonly bucket?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}
