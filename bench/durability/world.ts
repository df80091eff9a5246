import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main } from '@gantry/cli';

/**
 * The killed site: each writer is a member with the app `notes` and may post without an interval.
 */
export function killedSite(writerIds: readonly string[]): object {
  return {
    site: { name: 'Killed', settings: { minimumInterval: 0 } },
    members: writerIds.map((id) => ({ id, displayName: `Writer ${id}` })),
    apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
    installs: writerIds.map((memberId) => ({ appId: 'notes', memberId })),
    consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
  };
}

export const consumer = { key: 'notes', secret: 'secret' };

/** Imports a site as `gantry import` does. `args` are its flags. */
export async function importSite(data: string, site: object, args: readonly string[]): Promise<void> {
  const file = join(data, 'site.json');
  await writeFile(file, JSON.stringify(site));
  const lines: string[] = [];
  const output = { out: () => {}, err: (line: string) => lines.push(line) };
  if ((await main(['import', file, ...args], {}, output)) !== 0) throw new Error(lines.join('\n'));
}
