import type { Nonces } from '@gantry/service';
import type { Database } from '@gantry/store';
import type { DatabaseSetting } from '../setup/database-address.ts';
import type { Secrets } from '../setup/secrets.ts';
import type { Keys } from './key-ring.ts';

/** Keys, database and media of a site: the input of the commands. */
export interface Stores extends Keys {
  readonly db: Database;
  readonly mediaFolder: string;
}

/** Everything of a site that is opened before it runs. */
export interface OpenStores extends Stores {
  readonly nonces: Nonces;
}

export interface StorePlace extends DatabaseSetting, Pick<Secrets, 'masterKey'> {
  /** Absolute path of the data folder. */
  readonly data: string;
}
