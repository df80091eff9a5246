import { mkdirSync } from 'node:fs';
import type { ParseArgsConfig } from 'node:util';
import {
  type Configuration,
  configuration,
  databaseKind,
  dataFlags,
  openDatabase,
  openProxyStores,
  openStores,
  type Stores,
  UsageError,
} from '@gantry/server';
import type { Output } from '../../terminal/output.ts';

/** Flags of every `gantry app` command. */
export const appFlags = { ...dataFlags, json: { type: 'boolean' } } as const satisfies ParseArgsConfig['options'];

/** Stores, settings and output of one command. */
export interface AppCommandContext {
  readonly stores: Stores;
  readonly setup: Configuration;
  readonly output: Output;
}

/** Opens the stores of a whole site or of a proxy, runs `work`, and closes them. */
export async function withApps<T>(
  options: {
    readonly values: Readonly<Record<string, string | boolean | undefined>>;
    readonly env: NodeJS.ProcessEnv;
    readonly output: Output;
    /** An existing site issued the key, so these are a proxy's stores. */
    readonly hasKey?: boolean;
  },
  work: (context: AppCommandContext) => Promise<T>,
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
  const kind = await databaseKind(db).finally(() => db.close());
  if (kind === 'site' && hasKey) throw new UsageError('--key is for gantry proxy: gantry serve issues its own keys.');
  return kind === 'proxy' || hasKey ? openProxyStores(setup) : openStores(setup);
}

/** Returns the error for an unknown app. */
export function noSuchApp(id: string): UsageError {
  return new UsageError(`There is no app ${JSON.stringify(id)}.`);
}
