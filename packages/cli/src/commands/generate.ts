import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '../configuration.ts';
import { generateWorld, testConsumer, type WorldOptions } from '../generate/generate-world.ts';
import type { Output } from '../output.ts';
import { createProgress, grouped } from '../progress.ts';
import type { Command } from './command.ts';

/** `gantry generate` */
export const generate: Command = {
  name: 'generate',
  summary: 'Make a believable world of any size, to try things with',
  help: `Usage: gantry generate --members N [--seed S] [--out FILE|-] [--test-consumer]

Writes a world as JSON Lines for gantry import: members with names of several cultures, friendships (about 20 for each
member, for a few thousands), activities (about 10), blocks, apps and what they keep, albums. The same numbers give the
same file on every machine. Members probe-20-1 to -4, probe-150-1 to -4 and probe-5000-1 to -4 have exactly 20, 150 and
5,000 friends in every world that is large enough, for comparing sites of different sizes.

  --members N       How many members, 1 to 100,000,000
  --seed S          A whole number: another seed, another world (default 1)
  --out FILE        Where to write (default world-N.jsonl); - is standard output
  --test-consumer   Add the consumer key ${testConsumer.key} with the secret ${testConsumer.secret}, which speaks for any
                    member. For tests only: everyone knows it.

Examples:
  gantry generate --members 1000
  gantry generate --members 1000000 --seed 7 --out big.jsonl
  gantry generate --members 500 --out - | head`,
  run,
};

const options = {
  members: { type: 'string' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string' },
  'test-consumer': { type: 'boolean', default: false },
} as const;

async function run(args: readonly string[], _env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.members === undefined) throw new UsageError('gantry generate needs --members N.');
  const world = {
    members: whole('--members', values.members, { least: 1, most: 100_000_000 }),
    seed: whole('--seed', values.seed, { least: 0, most: 4_294_967_295 }),
    testConsumer: values['test-consumer'],
  };
  const out = values.out ?? `world-${world.members}.jsonl`;
  if (out === '-') {
    await write(world, process.stdout, output);
    return;
  }
  const draft = `${out}.part`; // a file that was cut short must not look whole
  const file = createWriteStream(draft);
  const records = await write(world, file, output);
  file.end();
  await finished(file);
  await rename(draft, out);
  output.out(`Wrote ${grouped(records)} records to ${out}.`);
}

const chunkLength = 1 << 20;

/** Writes no faster than it is taken. @returns Records written. */
async function write(world: WorldOptions, to: Writable, output: Output): Promise<number> {
  const progress = createProgress(output);
  let failure: Error | undefined;
  to.on('error', (error) => {
    failure = error;
  });
  let records = 0;
  let chunk = '';
  const flush = async () => {
    const taken = to.write(chunk);
    chunk = '';
    progress.step({ records });
    if (!taken) await once(to, 'drain');
  };
  try {
    for (const line of generateWorld(world)) {
      records++;
      chunk += line;
      if (chunk.length >= chunkLength) await flush();
    }
    await flush();
  } catch (error) {
    failure ??= error as Error;
  } finally {
    progress.end();
  }
  if (failure !== undefined && !isClosedPipe(failure)) throw failure;
  return records;
}

/** Whoever read the output has had enough, as `head` does. */
function isClosedPipe(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}

function whole(name: string, text: string, { least, most }: { readonly least: number; readonly most: number }): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least || value > most) {
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}
