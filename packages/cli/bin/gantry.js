#!/usr/bin/env node
// Plain JavaScript: an older Node must be able to read this file to say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.exit(1);
}
const { main } = await import('@gantry/cli');
process.exitCode = await main(process.argv.slice(2), process.env);
