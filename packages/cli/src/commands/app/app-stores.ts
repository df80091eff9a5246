import { mkdirSync } from 'node:fs';
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
import { type CommandLine, type Run, withFlags } from '../../command.ts';
import { withStores } from '../../with-stores.ts';

export const appFlags = { ...dataFlags, json: { type: 'boolean' } } as const;

export interface AppCommandContext {
  readonly stores: Stores;
  readonly setup: Configuration;
}

/**
 * Opens the stores of a whole site or of a proxy, runs `work`, and closes them.
 *
 * @param hasKey An existing site issued the key, so these are a proxy's stores.
 */
export async function withApps(
  { values, env }: Pick<CommandLine<typeof appFlags>, 'values' | 'env'>,
  work: (context: AppCommandContext) => Promise<void>,
  hasKey = false,
): Promise<void> {
  const setup = configuration({ ...values }, env);
  await withStores(openAppStores(setup, hasKey), (stores) => work({ stores, setup }));
}

async function openAppStores(setup: Configuration, hasKey: boolean): Promise<Stores> {
  mkdirSync(setup.data, { recursive: true, mode: 0o700 });
  const db = await openDatabase(setup.database);
  const kind = await databaseKind(db).finally(() => db.close());
  if (kind === 'site' && hasKey) throw new UsageError('--key is for gantry proxy: gantry serve issues its own keys.');
  return kind === 'proxy' || hasKey ? openProxyStores(setup) : openStores(setup);
}

interface AppLine extends Pick<CommandLine<typeof appFlags>, 'print'> {
  readonly stores: Stores;
  readonly id: string;
}

/** Returns the function of a verb that takes the id of an app. */
export function onApp(verb: string, work: (line: AppLine) => Promise<void>): Run {
  return withFlags({ options: appFlags }, async ({ positionals: [id], print, ...line }) => {
    if (!id) throw new UsageError(`gantry app ${verb} needs the id of an app.`);
    await withApps(line, ({ stores }) => work({ stores, id, print }));
  });
}

export function noSuchApp(id: string): UsageError {
  return new UsageError(`There is no app ${JSON.stringify(id)}.`);
}
