// Prints the path of the headless shell of Debian's Chromium, installing it where only the browser
// exists. Without one it prints nothing, and tests use the whole browser.
import { spawnSync } from 'node:child_process';
import { installDebian } from './debian.mjs';

const starts = () => spawnSync('chromium-headless-shell', ['--version']).status === 0;

if (!starts() && spawnSync('dpkg', ['-s', 'chromium']).status === 0) {
  console.error('Installing the headless shell of Chromium (once) …');
  await installDebian(['chromium-headless-shell']);
}
if (starts()) console.log('/usr/bin/chromium-headless-shell');
