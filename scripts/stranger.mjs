// The environment of a new user, without this repository's settings: a folder elsewhere, tarballs,
// a browser.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fail, root, run } from './prepare.mjs';

/**
 * Returns an environment without the variables of npm and this checkout, and with the Node that
 * runs TypeScript first.
 */
export function plainEnv(node) {
  const foreign =
    /^(npm_(?!config_(cache|registry|userconfig|globalconfig)$)|NODE_OPTIONS$|NODE_COMPILE_CACHE$|INIT_CWD$|GANTRY_|FORCE_COLOR$)/;
  const entries = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(entries), PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/** Makes a folder outside of the repository, removed when this process ends. */
export function scratchFolder(prefix) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  return folder;
}

/** Returns the folder of tarballs in GANTRY_TARBALLS, or packs them. */
export function findTarballs(node, scratch) {
  if (process.env.GANTRY_TARBALLS) return resolve(process.env.GANTRY_TARBALLS);
  const folder = join(scratch, 'tarballs');
  if (run(node, ['scripts/pack.mjs', folder], { env: plainEnv(node) }) === 0) return folder;
  return fail('The packages could not be packed.');
}

/** Returns the browser in GANTRY_CHROMIUM, or one that starts. */
export function findBrowser(node) {
  if (process.env.GANTRY_CHROMIUM) return process.env.GANTRY_CHROMIUM;
  const { status, stdout } = spawnSync(node, ['scripts/browser.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) fail('There is no browser: see the lines above.');
  return stdout.toString().trim();
}

/** Returns the docs' command to make a gadget until the packages are in a registry. */
export function createCommand(tarballs, args) {
  const tarball = readdirSync(tarballs).find((name) => name.startsWith('create-gantry-'));
  const npmArgs = ['exec', '--yes', `--package=${join(tarballs, tarball)}`, '--', 'create-gantry'];
  return ['npm', ...npmArgs, ...args, '--packages', tarballs];
}

/**
 * Runs a command without a terminal. Resolves with exit code and output; rejects after `seconds`.
 */
export function runCommand([program, ...args], { cwd, env, seconds = 300 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (chunk) => {
        text[name] += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, ...text });
    });
  });
}

/** Creates the steps of a linear part: after a failure the remaining steps are skipped. */
export function createSteps() {
  let passed = 0;
  let failed = 0;
  return {
    /** Runs a step and counts it. */
    async step(title, work) {
      if (failed > 0) {
        failed += 1;
        console.log(`✘ ${title}: not tried`);
        return;
      }
      const startedAtMs = performance.now();
      try {
        await work();
        passed += 1;
        console.log(`✓ ${title} (${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s)`);
      } catch (error) {
        failed += 1;
        console.log(`✘ ${title}\n${error.message}`);
      }
    },
    /** Prints the last line of the part and returns its exit code. */
    end() {
      console.log(`\n${passed} passed, ${failed} failed`);
      return failed === 0 ? 0 : 1;
    },
  };
}

/** @throws Error with the message of a failed step. */
export function expect(isFine, message) {
  if (!isFine) throw new Error(message);
}
