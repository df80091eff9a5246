import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '@gantry/server';

/** Opens an address in the browser that a person uses. Resolves with false where that cannot be started. */
export function openInBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [command, ...args] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  return new Promise((resolve) => {
    const child = spawn(command as string, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Names a Chromium of this machine: `GANTRY_CHROMIUM`, one on the path, or one that Playwright has fetched. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  if (env.GANTRY_CHROMIUM) return env.GANTRY_CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ];
  const fetched = caches
    .filter((folder) => folder !== undefined)
    .flatMap((cwd) =>
      globSync('chromium-*/chrome-*/{chrome,Chromium.app/Contents/MacOS/Chromium}', { cwd }).map((path) =>
        join(cwd, path),
      ),
    );
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return [...onPath, ...fetched, mac].find((path) => existsSync(path));
}

/** A browser that nobody sees. */
export interface HeadlessBrowser {
  /** Resolves when it ended by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an address in a Chromium without a window, with a profile of its own that goes with it.
 *
 * @throws UsageError where there is none, or it cannot be started.
 */
export async function openHeadless(url: string, env: NodeJS.ProcessEnv): Promise<HeadlessBrowser> {
  const program = findChromium(env);
  if (program === undefined) {
    throw new UsageError(
      'There is no Chromium here for --browser. Name one in GANTRY_CHROMIUM, or fetch one: npx playwright install chromium',
    );
  }
  const profile = await mkdtemp(join(tmpdir(), 'gantry-browser-'));
  const isRoot = process.getuid?.() === 0; // Chromium refuses to keep its own sandbox for root
  const child = spawn(
    program,
    [
      ...['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check', '--mute-audio'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions'],
      ...(isRoot ? ['--no-sandbox'] : []),
      ...[`--user-data-dir=${profile}`, '--window-size=1280,900', url],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }, // it ends with the pipe, so even if this process is killed
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await started(child, program).catch(async (error: unknown) => {
    await rm(profile, { recursive: true, force: true });
    throw error;
  });
  return {
    ended,
    async close() {
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function started(child: ChildProcess, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new UsageError(`${program} cannot be started: ${error.message}`)));
  });
}
