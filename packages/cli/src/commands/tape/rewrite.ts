import { rmSync, writeFileSync } from 'node:fs';
import { redactTape, writeSpec, writeTape } from '@gantry/lab/tape';
import { SocialError } from '@gantry/wire';
import { onlyWord, withFlags } from '../command.ts';
import { read } from './read-tape.ts';

const options = { out: { type: 'string', short: 'o' }, force: { type: 'boolean', default: false } } as const;

/** `gantry tape test FILE` */
export const test = withFlags({ options }, async ({ values: { out, force }, positionals, output }) => {
  const spec = writeSpec(read(onlyWord(positionals, 'tape test', 'tape')));
  if (out === undefined) return output.out(spec.trimEnd());
  writeNew(out, spec, force);
  output.out(`Wrote ${out}.`);
});

/** `gantry tape redact FILE` */
export const redact = withFlags({ options }, async ({ values, positionals, output }) => {
  const file = onlyWord(positionals, 'tape redact', 'tape');
  const { out = `${file.replace(/\.tape$/, '')}.redacted.tape`, force } = values;
  writeNew(out, writeTape(redactTape(read(file))), force);
  output.out(`Wrote ${out}.`);
});

/**
 * Writes a file that only its owner can read.
 *
 * @throws SocialError CONFLICT if it exists, unless `isForced`.
 */
function writeNew(path: string, text: string, isForced: boolean): void {
  if (isForced) rmSync(path, { force: true }); // its mode would stay
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new SocialError('CONFLICT', `${path} exists. --force overwrites it.`);
  }
}
