// `npm run bench`: prints every figure beside a comparison measured in the same run.
import { become, prepare, prepareBrowser, sourceEnv } from './prepare.mjs';

const node = prepare();
const args = process.argv.slice(2);
const withoutBrowser = [
  'service',
  'formats',
  'proxy',
  'stops',
  'overload',
  'costs',
  'writes',
  'scale',
  'page',
  '--help',
];
const isPartNamed = args.some((arg) => withoutBrowser.includes(arg));
const withBrowser = ['browser', 'kit', 'mounts', 'starts', 'memory', 'sizes', 'counts', 'saves']; // sizes are those of the build
const needsBrowser = !isPartNamed || args.some((arg) => withBrowser.includes(arg));
const browser = needsBrowser ? prepareBrowser(node) : '';
if (browser === undefined) process.exit(1);
become(node, ['bench/bench.ts', ...args], { env: sourceEnv(browser && { GANTRY_CHROMIUM: browser }) });
