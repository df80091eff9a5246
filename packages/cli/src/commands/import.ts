import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importWorld } from '@gantry/service';
import { configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores } from '../create-gantry.ts';
import type { Output } from '../output.ts';

/** `gantry import FILE` */
export async function importCommand(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
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
      onProgress: ({ done, total }) => output.err(`${done} of ${total} records`),
    });
    if (values.json) return output.out(JSON.stringify(report));
    const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
    output.out(
      `Imported ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing: the file has no records'}.`,
    );
  } finally {
    await db.close();
  }
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
