import { parseArgs, styleText } from 'node:util';
import { diffTapes, formatTapeDiff, type Paint } from '@gantry/lab/tape';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import type { Output } from '../../terminal/output.ts';
import { read } from './read-tape.ts';

const options = {
  holes: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const paint: Paint = (colour, text) => styleText(colour, text, { stream: process.stdout });

/** `gantry tape diff A B` */
export async function diff(args: readonly string[], _env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [a, b, ...more] = positionals;
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError('gantry tape diff takes two tapes. See gantry tape --help.');
  }
  const found = diffTapes(read(a), read(b), { holes: values.holes });
  const isColoured = process.stdout.isTTY && !values.json;
  if (values.json) output.out(JSON.stringify(found));
  else {
    const most = values.all ? Number.POSITIVE_INFINITY : 1;
    output.out(formatTapeDiff(found, { names: [a, b], most, ...(isColoured && { paint }) }));
  }
  if (!found.isEqual) throw new SocialError('CONFLICT', 'The tapes are different.');
}
