import { mkdirSync } from 'node:fs';
import type { ParseArgsConfig } from 'node:util';
import {
  type Configuration,
  configuration,
  dataFlags,
  kindOf,
  openDatabase,
  openProxyStores,
  openStores,
  type Stores,
  UsageError,
} from '@gantry/server';
import type { Output } from '../../output.ts';

/** Flags of every verb. */
export const appFlags = { ...dataFlags, json: { type: 'boolean' } } as const satisfies ParseArgsConfig['options'];

/** The stores, the settings and the output of one verb. */
export interface AppDesk {
  readonly stores: Stores;
  readonly setup: Configuration;
  readonly output: Output;
}

/** Opens the stores for the time of `work`: those of a whole site, or of a proxy before one that exists. */
export async function withApps<T>(
  options: {
    readonly values: Readonly<Record<string, string | boolean | undefined>>;
    readonly env: NodeJS.ProcessEnv;
    readonly output: Output;
    /** An existing site issued a key, so this is its proxy. */
    readonly hasKey?: boolean;
  },
  work: (desk: AppDesk) => Promise<T>,
): Promise<T> {
  const { values, env, output, hasKey = false } = options;
  const setup = configuration(values, env);
  const stores = await openAppStores(setup, hasKey);
  try {
    return await work({ stores, setup, output });
  } finally {
    await stores.db.close();
  }
}

async function openAppStores(setup: Configuration, hasKey: boolean): Promise<Stores> {
  mkdirSync(setup.data, { recursive: true, mode: 0o700 });
  const db = await openDatabase(setup.database);
  const kind = await kindOf(db).finally(() => db.close());
  if (kind === 'site' && hasKey) throw new UsageError('--key is for gantry proxy: gantry serve makes keys of its own.');
  return kind === 'proxy' || hasKey ? openProxyStores(setup) : openStores(setup);
}

/** @throws UsageError that says that there is no such app. */
export function noSuchApp(id: string): UsageError {
  return new UsageError(`There is no app ${JSON.stringify(id)}.`);
}
