import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BuildOrder, BuildOutcome } from './build-process.ts';
import { onlyOne } from './only-one.ts';
import { sourceDigest } from './source-digest.ts';

/** Files that a build read outside of the app's folder, with the state in which it read them. */
interface Inputs {
  readonly outside: readonly (readonly [path: string, size: number, changedAtMs: number])[];
}

const mostMs = 120_000;
const mostKept = 4;
const run = promisify(execFile);

/**
 * Builds an app, or finds the build of the same sources: once for all workers of a run, and for
 * later runs. Returns the folder of the build.
 *
 * @throws Error with Vite's message and the place in the app.
 */
export async function buildApp(options: { id: string; folder: string; pages: readonly string[] }): Promise<string> {
  const { id, folder, pages } = options;
  const cache = await cacheOf(folder);
  const digest = await sourceDigest(folder, [process.version, ...settings()]);
  const place = join(cache, `${id}-${digest}`);
  const built = join(place, 'app');
  if (await isCurrent(place)) return built;
  return onlyOne(join(cache, `${id}.lock`), mostMs, async () => {
    if (await isCurrent(place)) return built;
    await refuseFailed(place, id);
    const into = join(cache, `.${process.pid}-${randomBytes(4).toString('hex')}`);
    try {
      const outcome = await build({ folder, pages, into: join(into, 'app') });
      if ('problem' in outcome) {
        await writeFile(`${place}.failed`, JSON.stringify([process.ppid, outcome.problem]), { mode: 0o600 });
        throw failed(id, outcome.problem);
      }
      await writeFile(join(into, 'inputs.json'), JSON.stringify(await inputsOf(outcome.outside)));
      await rm(place, { recursive: true, force: true });
      await rename(into, place);
    } finally {
      await rm(into, { recursive: true, force: true });
    }
    await shorten(cache, id);
    return built;
  });
}

/** Environment that Vite puts into builds. */
function settings(): readonly string[] {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'));
  return variables.map(([name, value]) => `${name}=${value}`).sort();
}

async function build(order: BuildOrder): Promise<BuildOutcome> {
  const script = join(import.meta.dirname, `build-process${extname(import.meta.filename)}`);
  const { NODE_ENV: _ours, ...env } = process.env; // the runner's, which a build would use
  try {
    const { stdout } = await run(process.execPath, [script, JSON.stringify(order)], {
      env,
      timeout: mostMs,
      maxBuffer: 8e6,
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as BuildOutcome;
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    return { problem: (stderr || message).trim().split('\n').slice(-12).join('\n') };
  }
}

/** Another worker of this run may have tried the same sources. */
async function refuseFailed(place: string, id: string): Promise<void> {
  const text = await readFile(`${place}.failed`, 'utf8').catch(() => undefined);
  const [parent, problem] = text === undefined ? [] : (JSON.parse(text) as [number, string]);
  if (parent === process.ppid && problem !== undefined) throw failed(id, problem);
}

function failed(id: string, problem: string): Error {
  return new Error(`${id} cannot be built. ${problem}`);
}

async function inputsOf(outside: readonly string[]): Promise<Inputs> {
  const files = await Promise.all(
    outside.map(async (path) => {
      const file = await stat(path).catch(() => undefined);
      return file ? [[path, file.size, file.mtimeMs] as const] : [];
    }),
  );
  return { outside: files.flat() };
}

async function isCurrent(place: string): Promise<boolean> {
  const text = await readFile(join(place, 'inputs.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const { outside } = JSON.parse(text) as Inputs;
  const now = await inputsOf(outside.map(([path]) => path));
  return JSON.stringify(now.outside) === JSON.stringify(outside);
}

/** Returns the folder for builds below the nearest `node_modules` around an app. */
async function cacheOf(folder: string): Promise<string> {
  let project = folder;
  while (!(await stat(join(project, 'node_modules')).catch(() => undefined))?.isDirectory()) {
    if (dirname(project) === project)
      throw new Error(`${folder} has to be built, and there is no node_modules: npm install`);
    project = dirname(project);
  }
  const cache = join(project, 'node_modules', '.cache', 'gantry-testing');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  return cache;
}

/** Removes all but the latest builds of an app. */
async function shorten(cache: string, id: string): Promise<void> {
  const names = (await readdir(cache)).filter(
    (name) => name.startsWith(`${id}-`) && /-[0-9a-f]{24}(?:\.failed)?$/.test(name),
  );
  const dated = await Promise.all(
    names.map(async (name) => ({ name, atMs: (await stat(join(cache, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { name } of dated.sort((a, b) => b.atMs - a.atMs).slice(mostKept)) {
    await rm(join(cache, name), { recursive: true, force: true });
  }
}
