// `npm run bench`: every figure beside what it is compared with, measured in the same run.
import { become, prepare, prepareBrowser, sourceEnv } from './prepare.mjs';

const node = prepare();
const browser = prepareBrowser(node);
if (!browser) process.exit(1);
become(node, ['bench/bench.ts', ...process.argv.slice(2)], { env: sourceEnv({ GANTRY_CHROMIUM: browser }) });
