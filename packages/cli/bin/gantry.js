#!/usr/bin/env node
// Plain JavaScript: an older Node must be able to read this file to say that it is too old.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.exit(1);
}

const isCheckout = existsSync(new URL('../src/index.ts', import.meta.url));
const readsSources = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').includes('--conditions=source');
if (isCheckout && !readsSources) runFromSources();

// A server that was killed is back in half the time. Only a folder of the checkout: where others may write they could leave code.
if (isCheckout)
  module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)));
const { main } = await import('@gantry/cli');
module.flushCompileCache?.(); // now: after SIGKILL there is no later
process.exitCode = await main(process.argv.slice(2), process.env);

/** Starts over with the workspace's TypeScript sources: there may be no build. */
function runFromSources() {
  const args = ['--conditions=source', fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') {
    process.removeAllListeners('warning'); // execve is the one way to keep the process that signals are sent to
    process.execve(process.execPath, [process.execPath, ...args], process.env);
  }
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
