import { rmSync, writeFileSync } from 'node:fs';
import { diffTapes, formatTapeDiff, redactTape, type Tape, writeSpec, writeTape } from '@gantry/lab/tape';
import { readTapeFile } from '@gantry/lab/tape-file';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { onlyWord, withFlags } from '../../command.ts';
import { paint } from '../../project/show-diff.ts';

const diffOptions = {
  wildcards: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean' },
} as const;
const writeOptions = { out: { type: 'string', short: 'o' }, force: { type: 'boolean', default: false } } as const;

export const diff = withFlags({ options: diffOptions }, async ({ values, positionals: [a, b, ...more], print }) => {
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError('gantry tape diff takes two tapes. See gantry tape --help.');
  }
  const comparison = diffTapes(read(a), read(b), { wildcards: values.wildcards });
  const most = values.all ? Number.POSITIVE_INFINITY : 1;
  print(comparison, formatTapeDiff(comparison, { names: [a, b], most, paint }));
  if (!comparison.isEqual) throw new SocialError('CONFLICT', 'The tapes are different.');
});

export const test = withFlags({ options: writeOptions }, async ({ values: { out, force }, positionals, output }) => {
  const spec = writeSpec(read(onlyWord(positionals, 'tape test', 'tape')));
  if (out === undefined) return output.out(spec.trimEnd());
  writeNew(out, spec, force);
  output.out(`Wrote ${out}.`);
});

export const redact = withFlags({ options: writeOptions }, async ({ values, positionals, output }) => {
  const file = onlyWord(positionals, 'tape redact', 'tape');
  const { out = `${file.replace(/\.tape$/, '')}.redacted.tape`, force } = values;
  writeNew(out, writeTape(redactTape(read(file))), force);
  output.out(`Wrote ${out}.`);
});

/** Reads a tape. @throws UsageError that names the file if it is not a tape. */
function read(path: string): Tape {
  try {
    return readTapeFile(path);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(message.includes(path) ? message : `${path}: ${message}`);
  }
}

/** Writes a file that only its owner can read. @throws SocialError CONFLICT unless `isForced`. */
function writeNew(path: string, text: string, isForced: boolean): void {
  if (isForced) rmSync(path, { force: true }); // overwriting keeps the old mode
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new SocialError('CONFLICT', `${path} exists. --force overwrites it.`);
  }
}
