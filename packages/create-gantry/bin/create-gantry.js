#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it and print that it is too old.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error; // a reader that has gone is no failure
  });
  const source = new URL('../src/index.ts', import.meta.url); // in a checkout
  const { main } = await import(existsSync(source) ? source.href : 'create-gantry');
  process.exitCode = await main(process.argv.slice(2), process.env);
} else {
  process.stderr.write(
    `create-gantry needs Node 22.18 or newer and this is ${process.versions.node}: install it from https://nodejs.org, or with nvm install 22.\n`,
  );
  process.exitCode = 1;
}
