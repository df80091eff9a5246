import { dirname, resolve } from 'node:path';
import { forgetMembers } from '@gantry/proxy';
import { configuration, dataFlags, openStores, type Stores, UsageError } from '@gantry/server';
import { type ImportProgress, importLines, importWorld } from '@gantry/service';
import { countText, grouped } from '@gantry/wire/runtime';
import { type Command, onlyWord, withFlags } from '../command.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { withStores } from '../with-stores.ts';
import { readText, unreadable } from './read-text.ts';

const options = { ...dataFlags, restart: { type: 'boolean', default: false }, json: { type: 'boolean' } } as const;

export const importFile: Command = {
  name: 'import',
  summary: 'Load a world file: members, friendships, apps, activities, albums',
  help: `Usage: gantry import FILE [--restart] [--json] [--data DIR]

Loads a world file (docs/world-file.md) into the site. Existing records are updated. A running server shows the result at
once, and reports "importing" at /readyz until the import is complete.

FILE.json is loaded as a whole: all of it, or nothing if a record is bad, which is named by its path.
FILE.jsonl, one record a line, may be of any size: it is stored 10,000 records at a time, and importing the same file
again resumes an interrupted import. A bad record is named by its line; records before it are stored.

  --restart         Start a .jsonl file at its first line, even if part of it was imported before
  --json            Print the report as JSON

Examples:
  gantry import world.json
  gantry import members.jsonl --data /var/lib/gantry
  gantry import members.jsonl --restart`,
  run: withFlags({ options }, async ({ values, positionals, env, output, print }) => {
    const file = onlyWord(positionals, 'import', 'world file');
    const isLines = /\.(jsonl|ndjson)$/i.test(file);
    if (values.restart && !isLines)
      throw new UsageError('--restart is for .jsonl files: others are loaded as a whole.');
    const world = isLines ? undefined : parse(await readText(file), file);
    await withStores(openStores(configuration(values, env), { bulk: isLines }), async (stores) => {
      const report = isLines
        ? await fromLines(stores, file, { restart: values.restart, output })
        : await fromWorld(stores, world, { folder: dirname(resolve(file)), output });
      for (const note of report.notes) output.err(note);
      print(report, report.summary);
    });
  }),
};

async function fromWorld(
  stores: Stores,
  world: unknown,
  { folder, output }: { readonly folder: string; readonly output: Output },
) {
  let reported = 0;
  const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
    const percent = Math.floor((done / total) * 10) * 10;
    if (percent > reported) output.err(`${percent} %`);
    reported = Math.max(reported, percent);
  };
  const report = await importWorld(stores.db, world, { ...stores, folder, onProgress, alsoRemove: forgetMembers });
  const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
  const imported = counts.map(([list, count]) => countText(count, list.replace(/ies$/, 'y').replace(/s$/, ''), list));
  if (report.removed > 0) imported.push(countText(report.removed, 'removal'));
  return { ...report, summary: `Imported ${imported.join(', ') || 'nothing: the file has no records'}.` };
}

async function fromLines(
  stores: Stores,
  file: string,
  { restart, output }: { readonly restart: boolean; readonly output: Output },
) {
  const progress = createProgress(output, 'record');
  const onProgress = ({ records, bytes, size, indexes }: ImportProgress) => {
    if (!indexes) return progress.step({ done: records, part: bytes / size });
    progress.end();
    output.err(`Making indexes: ${indexes.done} of ${indexes.total}`);
  };
  try {
    const report = await importLines(stores.db, file, { ...stores, restart, onProgress, alsoRemove: forgetMembers });
    if (report.resumedAtLine !== undefined) output.err(`Resumed at line ${grouped(report.resumedAtLine)}.`);
    return { ...report, summary: `Imported ${countText(report.records, 'record')}.` };
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    throw /^(ENOENT|EACCES|EISDIR)$/.test(failure.code ?? '') ? unreadable(file, failure) : error;
  } finally {
    progress.end();
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
