// `npm run bench`: prints every figure beside a comparison measured in the same run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { become, prepare, prepareBrowser, root, sourceEnv } from './prepare.mjs';

const node = prepare();
const args = process.argv.slice(2);
// Parts of the bench; some need a browser, or the scripts that are built for one.
const parts = JSON.parse(readFileSync(join(root, 'bench/parts.json'), 'utf8'));
const named = args.filter((arg) => Object.hasOwn(parts, arg));
const measuresNothing = args.includes('page') || args.includes('--help');
const needsBrowser = named.length > 0 ? named.some((part) => parts[part] === 'browser') : !measuresNothing;
const browser = needsBrowser ? prepareBrowser(node) : '';
if (browser === undefined) process.exit(1);
become(node, ['bench/bench.ts', ...args], { env: sourceEnv(browser && { GANTRY_CHROMIUM: browser }) });
