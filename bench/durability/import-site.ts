import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main } from '@gantry/cli';

/** Imports a site as `gantry import` does. `args` are its flags. */
export async function importSite(data: string, site: object, args: readonly string[]): Promise<void> {
  const file = join(data, 'site.json');
  await writeFile(file, JSON.stringify(site));
  const lines: string[] = [];
  const output = { out: () => {}, err: (line: string) => lines.push(line) };
  if ((await main(['import', file, ...args], {}, output)) !== 0) throw new Error(lines.join('\n'));
}
