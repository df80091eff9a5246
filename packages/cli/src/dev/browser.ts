import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '@gantry/server';

/** Opens a URL in the user's browser. Resolves with false if that fails. */
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

/** Finds a Chromium: `GANTRY_CHROMIUM`, one on the path, or one that Playwright installed. */
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

/** A headless browser. */
export interface HeadlessBrowser {
  /** Resolves when the browser exits. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a URL in a headless Chromium with a temporary profile.
 *
 * @throws UsageError if there is none, or it does not start.
 */
export async function openHeadless(url: string, env: NodeJS.ProcessEnv): Promise<HeadlessBrowser> {
  const program = findChromium(env);
  if (program === undefined) {
    throw new UsageError(
      'No Chromium was found for --browser. Set GANTRY_CHROMIUM, or install one: npx playwright install chromium',
    );
  }
  const profile = await mkdtemp(join(tmpdir(), 'gantry-browser-'));
  const isRoot = process.getuid?.() === 0; // Chromium's own sandbox does not run for root
  const child = spawn(
    program,
    [
      ...['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check', '--mute-audio'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions'],
      ...(isRoot ? ['--no-sandbox'] : []),
      ...[`--user-data-dir=${profile}`, '--window-size=1280,900', url],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }, // it exits when the pipe closes, even if this process is killed
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
