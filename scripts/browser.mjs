// Finds a Chromium that starts, or installs one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { fail, root, run } from './prepare.mjs';

const path = await findOrInstall();
if (!path) {
  fail(
    'No Chromium: none on PATH, Playwright could not download one, and Debian’s package could not be installed. Install a chromium and try again.',
  );
}
console.log(path);

async function findOrInstall() {
  const onPath = ['chromium', 'chromium-browser'].map(which).find((program) => program !== undefined);
  if (onPath && (await starts(onPath))) return onPath;
  const bundled = chromium.executablePath();
  if (existsSync(bundled) && (await starts(bundled))) return bundled;
  console.error('Installing a browser (once) …');
  const quiet = { stdio: ['ignore', 'ignore', 'ignore'] };
  run(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], quiet);
  if (existsSync(bundled) && (await starts(bundled))) return bundled;
  if (!which('apt-get')) return undefined;
  const [program, ...prefix] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  run(program, [...prefix, 'update'], quiet);
  run(program, [...prefix, 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], quiet);
  const debian = which('chromium');
  return debian && (await starts(debian)) ? debian : undefined;
}

function which(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file) && spawnSync(file, ['--version']).status === 0);
}

async function starts(executablePath) {
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    await browser.close();
    return true;
  } catch {
    return false;
  }
}
