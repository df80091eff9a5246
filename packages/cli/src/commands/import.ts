import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importWorld } from '@gantry/service';
import { configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores } from '../create-gantry.ts';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry import FILE` */
export const importFile: Command = {
  name: 'import',
  summary: 'Load a world file: members, friendships, apps, activities, albums',
  help: `Usage: gantry import FILE [--json] [--data DIR]

Loads a world file (docs/world-file.md) into the site: all of it, or, when one record is bad, nothing, and the record is
named by its path. Records that exist are updated. A running server sees the result at once.

  --json            Print the report as JSON

Examples:
  gantry import world.json
  gantry import world.json --json --data /var/lib/gantry`,
  run,
};

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const options = { ...dataFlags, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new UsageError('gantry import takes one world file. See gantry import --help.');
  const world = parse(await readText(file), file);
  const { db, secretKey, mediaFolder } = await openStores(configuration(values, env));
  try {
    const report = await importWorld(db, world, {
      secretKey,
      mediaFolder,
      folder: dirname(resolve(file)),
      onProgress: everyTenth((percent) => output.err(`${percent} %`)),
    });
    for (const note of report.notes) output.err(note);
    if (values.json) return output.out(JSON.stringify(report));
    const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
    output.out(
      `Imported ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing: the file has no records'}.`,
    );
  } finally {
    await db.close();
  }
}

/** Tells of progress when another tenth is done, however often it is reported. */
function everyTenth(tell: (percent: number) => void): (progress: { done: number; total: number }) => void {
  let told = 0;
  return ({ done, total }) => {
    const percent = Math.floor((done / total) * 10) * 10;
    if (percent > told) tell(percent);
    told = Math.max(told, percent);
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
