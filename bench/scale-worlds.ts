import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateWorld } from '@gantry/lab';
import { openStores } from '@gantry/server';
import { addConsumer, serviceMigrations, writeSetting } from '@gantry/service';

/** A generated world, imported into its own site, with the cost of both. */
export interface ScaleWorld {
  readonly members: number;
  readonly records: number;
  readonly friendships: number;
  readonly activities: number;
  readonly fileBytes: number;
  readonly databaseBytes: number;
  readonly generateSeconds: number;
  readonly importSeconds: number;
  /** CPU of the importing process. */
  readonly importCpuSeconds: number;
  /** Data folder of the site. */
  readonly data: string;
  readonly consumer: { readonly key: string; readonly secret: string };
}

const command = fileURLToPath(new URL('../packages/cli/bin/gantry.js', import.meta.url));
const folder = process.env.GANTRY_SCALE ?? join(tmpdir(), 'gantry-scale');

/**
 * Generates and imports a world of a size, or reuses an earlier run's with the same generator and
 * schema.
 */
export async function scaleWorld(members: number): Promise<ScaleWorld> {
  const place = join(folder, `${members}-${version()}`);
  const facts = join(place, 'world.json');
  const earlier = readFacts(facts);
  if (earlier) return earlier;
  mkdirSync(place, { recursive: true });
  const file = join(folder, `world-${members}-${generatorVersion()}.jsonl`);
  const made = await generated(members, file);
  const data = join(place, 'site');
  rmSync(data, { recursive: true, force: true });
  console.log(`Importing ${file} into ${data}`);
  const { seconds, cpuSeconds } = await timed(['import', file, '--data', data]);
  const database = join(data, 'gantry.db');
  const stores = await openStores({ data, database });
  const consumer = await addConsumer(stores.db, {
    secretKey: stores.secretKey,
    kind: 'app',
    appId: 'notes',
    container: true,
  });
  await writeSetting(stores.db, 'rateLimit', '0');
  await stores.db.close();
  const world: ScaleWorld = {
    members,
    ...made,
    databaseBytes: statSync(database).size,
    importSeconds: seconds,
    importCpuSeconds: cpuSeconds,
    data,
    consumer,
  };
  writeFileSync(facts, JSON.stringify(world));
  return world;
}

type Made = Pick<ScaleWorld, 'records' | 'friendships' | 'activities' | 'fileBytes' | 'generateSeconds'>;

async function generated(members: number, file: string): Promise<Made> {
  const facts = `${file}.json`;
  const earlier = readFacts<Made>(facts);
  if (earlier) return earlier;
  console.log(`Generating ${file}`);
  const { seconds } = await timed(['generate', '--members', String(members), '--out', `${file}.draft`]);
  const counts = await countKinds(`${file}.draft`);
  renameSync(`${file}.draft`, file);
  const made = { ...counts, fileBytes: statSync(file).size, generateSeconds: seconds };
  writeFileSync(facts, JSON.stringify(made));
  return made;
}

async function countKinds(file: string): Promise<Pick<Made, 'records' | 'friendships' | 'activities'>> {
  const counts = { records: 0, friendships: 0, activities: 0 };
  for await (const line of createInterface(createReadStream(file))) {
    counts.records++;
    if (line.startsWith('{"kind":"friendship"')) counts.friendships++;
    else if (line.startsWith('{"kind":"activity"')) counts.activities++;
  }
  return counts;
}

async function timed(args: readonly string[]): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const program = fileURLToPath(new URL('scale-process.ts', import.meta.url));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let cpuMicros = 0;
  child.on('message', (micros) => {
    cpuMicros = Number(micros);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`gantry ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: cpuMicros / 1e6 };
}

function readFacts<T = ScaleWorld>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Hashes a sample of the generator's output: the version of the file. */
function generatorVersion(): string {
  const hash = createHash('sha256');
  for (const line of generateWorld({ members: 1_000, seed: 1 })) hash.update(line);
  return hash.digest('hex').slice(0, 8);
}

/** Hashes generator and schema: the version of the site. */
function version(): string {
  const schema = JSON.stringify(serviceMigrations.map(({ statements }) => statements.map(({ strings }) => strings)));
  return createHash('sha256').update(generatorVersion()).update(schema).digest('hex').slice(0, 8);
}

export interface ScaleServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server process on the site of a world. */
export async function startScaleServer({ data }: ScaleWorld): Promise<ScaleServer> {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^Gantry ready at (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('The server ended before it was ready.');
}
