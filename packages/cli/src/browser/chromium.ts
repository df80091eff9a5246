import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { SocialError } from '@gantry/wire';
import { type Devtools, openDevtools } from './devtools.ts';

/** A headless Chromium. */
export interface Browser {
  readonly devtools: Devtools;
  /** Resolves when the browser has ended. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const flags = [
  ...['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check'],
  ...['--window-size=1280,900', '--hide-scrollbars', '--mute-audio', '--disable-gpu', '--disable-dev-shm-usage'],
  ...['--disable-extensions', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...[
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
  ],
  // The same rendering on each machine, as far as its fonts allow.
  ...[
    '--force-color-profile=srgb',
    '--font-render-hinting=none',
    '--disable-lcd-text',
    '--force-device-scale-factor=1',
  ],
];

/**
 * Starts a Chromium with an empty profile, in its sandbox unless the system refuses that: for root,
 * and in many containers.
 *
 * @param url First page.
 * @throws SocialError UNAVAILABLE with the browser's output, if it does not start.
 */
export async function startBrowser(program: string, url = 'about:blank'): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  try {
    return await start(program, isRoot ? ['--no-sandbox', url] : [url]);
  } catch (error) {
    if (isRoot) throw error;
    return start(program, ['--no-sandbox', url]);
  }
}

async function start(program: string, more: readonly string[]): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'gantry-chromium-'));
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, ...more], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, , errors, to, from] = child.stdio as [null, null, Readable, Writable, Readable];
  const devtools = openDevtools(from, to);
  let printed = '';
  errors.on('data', (text) => {
    printed = `${printed}${text}`.slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      printed += error.message;
      resolve();
    });
  });
  void ended.then(() => devtools.end('The browser has ended.'));
  async function close(): Promise<void> {
    await devtools.send('Browser.close').catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  try {
    await devtools.send('Browser.getVersion');
    return { devtools, ended, close };
  } catch (cause) {
    await close();
    throw new SocialError('UNAVAILABLE', `${program} does not start:\n${printed.trim()}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
