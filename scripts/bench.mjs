// `npm run bench`: every figure beside what it is compared with, measured in the same run.
import { spawnSync } from 'node:child_process';
import { become, fail, prepare, root, run, sourceEnv } from './prepare.mjs';

const node = prepare();
const found = spawnSync(node, ['scripts/browser.mjs'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (found.status !== 0) process.exit(1);
if (run(node, ['scripts/build.mjs']) !== 0) fail('The browser scripts could not be built: see the lines above.');
become(node, ['bench/bench.ts', ...process.argv.slice(2)], {
  env: sourceEnv({ GANTRY_CHROMIUM: found.stdout.trim() }),
});
