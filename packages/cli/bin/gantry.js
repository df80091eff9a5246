#!/usr/bin/env node
// Plain JavaScript: an older Node must be able to read this file to say that it is too old.
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

/** TypeScript and SQLite without a flag. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

async function runHere() {
  if (isCheckout && !readsSources) runFromSources();
  // A server that was killed is back in half the time. Only a folder of the checkout: where others may write they could leave code.
  if (isCheckout)
    module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)));
  const { main } = await import('@gantry/cli');
  module.flushCompileCache?.(); // now: after SIGKILL there is no later
  process.exitCode = await main(process.argv.slice(2), process.env);
}

/** Starts over with the workspace's TypeScript sources: there may be no build. */
function runFromSources() {
  if (process.execve && process.platform !== 'win32') {
    process.removeAllListeners('warning'); // execve is the one way to keep the process that signals are sent to
    process.execve(process.execPath, [process.execPath, ...sourceArgs], process.env);
  }
  process.exit(spawnSync(process.execPath, sourceArgs, { stdio: 'inherit' }).status ?? 1);
}

/** In a checkout a newer Node may have come with the packages: it runs the command, and ends with this process. */
function runWithSupplied() {
  const supplied = new URL(`../../../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url);
  if (!isCheckout || !existsSync(supplied)) {
    process.stderr.write(
      `gantry needs Node 22.22.2, 24.14.1, 25.8.2 or a later release of these lines; this is ${process.versions.node}.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(fileURLToPath(supplied), sourceArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C reaches every process of the terminal; passing it on as well would ask twice.
    process.on(signal, () => (signal !== 'SIGINT' || !process.stdin.isTTY ? child.kill(signal) : undefined));
  }
  child.on('exit', (code) => process.exit(code ?? 1));
}
