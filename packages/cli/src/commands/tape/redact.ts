import { parseArgs } from 'node:util';
import { redactTape, writeTape } from '@gantry/lab/tape';
import { UsageError } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { read } from './read-tape.ts';
import { writeNew } from './write-new.ts';

const options = { out: { type: 'string', short: 'o' }, force: { type: 'boolean', default: false } } as const;

/** `gantry tape redact FILE` */
export async function redact(args: readonly string[], _env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new UsageError('gantry tape redact takes one tape. See gantry tape --help.');
  }
  const { out = `${file.replace(/\.tape$/, '')}.redacted.tape`, force } = values;
  writeNew(out, writeTape(redactTape(read(file))), force);
  output.out(`Wrote ${out}.`);
}
