// Makes a fresh clone ready to run. Plain JavaScript, to run on a Node that is too old and say so.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Installs locked packages that are missing or out of date. Returns the Node that runs TypeScript.
 */
export function prepare() {
  const bundled = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (!(atLeast(22, 18) || (bundled && atLeast(20, 19)))) tooOld();
  install();
  const supplied = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (bundled && existsSync(supplied) && spawnSync(supplied, ['--version']).status === 0) return supplied;
  if (!atLeast(22, 18)) tooOld();
  return process.execPath;
}

function atLeast(major, minor) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}

function tooOld() {
  fail(
    `Gantry needs Node 22.18 or newer (on Linux with x64 or arm64, 20.19 starts the Node that comes with it); this is ${process.version} on ${process.platform}.`,
  );
}

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const mark = join(root, 'node_modules', '.gantry-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.error('Installing packages (once, about half a minute) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund'];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) fail('Packages could not be installed: see the lines above. Is the npm registry reachable?');
  writeFileSync(mark, lock);
}

/**
 * Finds or installs a Chromium that starts, and builds its scripts.
 *
 * @returns its path, or `undefined` after printing the reason.
 */
export function prepareBrowser(node) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const browser = spawnSync(node, ['scripts/browser.mjs'], options);
  if (browser.status !== 0 || run(node, ['scripts/build.mjs']) !== 0) return undefined;
  return browser.stdout.trim();
}

/** Environment in which workspace packages resolve to their TypeScript sources. */
export function sourceEnv(extra = {}) {
  return {
    ...process.env,
    ...extra,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=@gantry/source`.trim(),
  };
}

/** Runs a program to its end and returns its exit code. */
export function run(program, args, { cwd = root, env = sourceEnv(), stdio = 'inherit' } = {}) {
  const { status, error } = spawnSync(program, args, { cwd, env, stdio });
  if (error) console.error(error.message);
  return status ?? 1;
}

/**
 * Replaces this process by `program`: same output, signals and exit code. When this process ends in
 * any way, the IPC channel closes, and the child treats that as a request to stop.
 */
export function become(program, args, { env = sourceEnv() } = {}) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C reaches the whole process group; forwarding it would signal twice.
    process.on(signal, () => (signal !== 'SIGINT' || !process.stdin.isTTY ? child.kill(signal) : undefined));
  }
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
