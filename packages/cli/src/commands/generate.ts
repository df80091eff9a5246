import { type GeneratedWorldOptions, generateWorld, testConsumer } from '@gantry/lab';
import { UsageError } from '@gantry/server';
import { countText } from '@gantry/wire/runtime';
import { type Command, withFlags } from '../command.ts';
import { type LineOutput, openLineOutput } from '../terminal/line-output.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';

const options = {
  members: { type: 'string' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string' },
  'test-consumer': { type: 'boolean', default: false },
} as const;

export const generate: Command = {
  name: 'generate',
  summary: 'Generate a realistic world of any size for tests',
  help: `Usage: gantry generate --members N [--seed S] [--out FILE|-] [--test-consumer]

Writes a world as JSON Lines for gantry import: members with names of several cultures, friendships (about 20 for each
member, for a few thousands), activities (about 10), blocks, apps and their data, albums. The same options give the same
file on every machine. Members probe-20-1 to -4, probe-150-1 to -4 and probe-5000-1 to -4 have exactly 20, 150 and
5,000 friends in every world that is large enough, for comparing sites of different sizes.

  --members N       Number of members, 1 to 100,000,000
  --seed S          A whole number; each seed gives another world (default 1)
  --out FILE        File to write (default world-N.jsonl); - is standard output
  --test-consumer   Add the consumer key ${testConsumer.key} with the secret ${testConsumer.secret}, which may act for any
                    member. For tests only: the secret is public.

Examples:
  gantry generate --members 1000
  gantry generate --members 1000000 --seed 7 --out big.jsonl
  gantry generate --members 500 --out - | head`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, output }) => {
    if (values.members === undefined) throw new UsageError('gantry generate needs --members N.');
    const world = {
      members: whole('--members', values.members, { least: 1, most: 100_000_000 }),
      seed: whole('--seed', values.seed, { least: 0, most: 4_294_967_295 }),
      testConsumer: values['test-consumer'],
    };
    const out = values.out ?? `world-${world.members}.jsonl`;
    const records = await write(world, openLineOutput(out), output);
    if (out !== '-') output.out(`Wrote ${countText(records, 'record')} to ${out}.`);
  }),
};

const chunkLength = 1 << 20;

/** Writes the world, and resolves with the number of records. */
async function write(world: GeneratedWorldOptions, to: LineOutput, output: Output): Promise<number> {
  const progress = createProgress(output, 'record');
  let records = 0;
  let chunk = '';
  try {
    for (const line of generateWorld(world)) {
      records++;
      chunk += line;
      if (chunk.length < chunkLength) continue;
      await to.write(chunk);
      chunk = '';
      progress.step({ done: records });
    }
    await to.write(chunk);
    await to.finish();
  } finally {
    progress.end();
  }
  return records;
}

function whole(name: string, text: string, { least, most }: { readonly least: number; readonly most: number }): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least || value > most) {
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}
