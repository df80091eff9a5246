import type { KeyAnswer } from '@gantry/proxy';
import { UsageError } from '@gantry/server';
import type { RegistryClient } from './site-client.ts';

/** Returns the app that a command names, else the only one of the key. @throws UsageError */
export async function onlyApp(client: RegistryClient, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { apps } = await client.get<KeyAnswer>('/key');
  const [only, ...more] = apps;
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError(`The key is for several apps: name one of ${apps.join(', ')}.`);
}
