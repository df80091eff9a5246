#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it and print that it is too old.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const isCheckout = existsSync(new URL('../src/index.ts', import.meta.url));
const readsSources = [...process.execArgv, process.env.NODE_OPTIONS ?? '']
  .join(' ')
  .includes('--conditions=@gantry/source');
const sourceArgs = ['--conditions=@gantry/source', fileURLToPath(import.meta.url), ...process.argv.slice(2)];

if (isNewEnough(process.versions.node)) await runHere();
else runWithSupplied();

/** Returns whether a release has TypeScript and SQLite without a flag. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

async function runHere() {
  if (isCheckout && !readsSources) runFromSources();
  // Halves the time of a restart. Only in a checkout: elsewhere others could add code.
  if (isCheckout)
    module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)));
  // A closed reader, as in `gantry app list | head -1`, is no failure: the command completes.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const { main } = await import('@gantry/cli');
  module.flushCompileCache?.(); // now, since SIGKILL leaves no later chance
  process.exitCode = await main(process.argv.slice(2), process.env);
}

/** Restarts with the workspace's TypeScript sources, since there may be no build. */
function runFromSources() {
  if (process.execve && process.platform !== 'win32') {
    process.removeAllListeners('warning'); // only execve keeps the process, which signals are sent to
    process.execve(process.execPath, [process.execPath, ...sourceArgs], process.env);
  }
  process.exit(spawnSync(process.execPath, sourceArgs, { stdio: 'inherit' }).status ?? 1);
}

/** Runs the command with the Node that npm installed in a checkout, until this process ends. */
function runWithSupplied() {
  const supplied = new URL(`../../../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url);
  if (!isCheckout || !existsSync(supplied)) {
    process.stderr.write(
      `gantry needs Node 22.18 or newer and this is ${process.versions.node}: install it from https://nodejs.org, or with nvm install 22.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(fileURLToPath(supplied), sourceArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C reaches every process of the terminal, so it is not passed on again.
    process.on(signal, () => (signal !== 'SIGINT' || !process.stdin.isTTY ? child.kill(signal) : undefined));
  }
  child.on('exit', (code) => process.exit(code ?? 1));
}
