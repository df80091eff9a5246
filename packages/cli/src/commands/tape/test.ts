import { parseArgs } from 'node:util';
import { writeSpec } from '@gantry/lab/tape';
import { UsageError } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { read } from './read-tape.ts';
import { writeNew } from './write-new.ts';

const options = { out: { type: 'string', short: 'o' }, force: { type: 'boolean', default: false } } as const;

/** `gantry tape test FILE` */
export async function test(args: readonly string[], _env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new UsageError('gantry tape test takes one tape. See gantry tape --help.');
  }
  const spec = writeSpec(read(file));
  if (values.out === undefined) return output.out(spec.trimEnd());
  writeNew(values.out, spec, values.force);
  output.out(`Wrote ${values.out}.`);
}
