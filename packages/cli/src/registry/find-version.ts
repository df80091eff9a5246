import type { HistoryAnswer } from '@gantry/proxy';
import { shownDigits, UsageError } from '@gantry/server';
import type { RegistryClient } from './site-client.ts';

const leastDigits = 6;

/** Returns the beginning of a digest that people see and type. */
export function shortVersion(version: string): string {
  return version.slice(0, shownDigits);
}

/**
 * Finds the digest of a version by its beginning, or by the `version` of its gadget.json.
 *
 * @throws UsageError for none and for several.
 */
export async function findVersion(client: RegistryClient, app: string, text: string): Promise<string> {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  const { versions } = await client.get<HistoryAnswer>(`/apps/${app}/history`);
  const isBeginning = text.length >= leastDigits && /^[0-9a-f]+$/.test(text);
  const found = versions.filter(({ version, label }) => label === text || (isBeginning && version.startsWith(text)));
  const [only, ...more] = found;
  if (only && more.length === 0) return only.version;
  const names = found.map(({ version }) => shortVersion(version)).join(', ');
  const problem = only ? `Several versions of ${app} are ${text}: ${names}` : `${app} has no version ${text}`;
  throw new UsageError(`${problem}. See gantry app history ${app}.`);
}
