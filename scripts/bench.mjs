// `npm run bench`: prints every figure beside a comparison measured in the same run.
import { become, prepare, prepareBrowser, sourceEnv } from './prepare.mjs';

const node = prepare();
const parts = process.argv.slice(2);
const withBrowser = ['browser', 'kit', 'mounts', 'sizes', 'saves']; // sizes are those of the build
const needsBrowser = parts.length === 0 || parts.some((part) => withBrowser.includes(part));
const browser = needsBrowser ? prepareBrowser(node) : '';
if (browser === undefined) process.exit(1);
become(node, ['bench/bench.ts', ...parts], { env: sourceEnv(browser && { GANTRY_CHROMIUM: browser }) });
