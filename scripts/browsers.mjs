// `npm run browsers`: isolation, the container, the dev host and the test kit in three browsers.
import { installDebian, missingPackages } from './debian.mjs';
import { installTools } from './install-tools.mjs';
import { become, prepare, prepareBrowser, run, sourceEnv } from './prepare.mjs';

const browsers = { chromium: [], firefox: ['firefox-esr'], webkitgtk: ['webkit2gtk-driver', 'xvfb'] };

const help = `Usage: npm run browsers -- [BROWSER …] [--short | --write]

Tries Chromium, and Firefox and WebKitGTK of Debian: the self-test and a hostile app with its controls in the three modes
of isolation, the demo's apps (calls, consent, a write, events, keyboard, no network), the dev host, and the page of the
test kit. Each result is compared with scripts/browsers/record.json.

BROWSER  Of ${Object.keys(browsers).join(', ')}, those named only.
--short  The self-test and the demo's apps in one mode only: what CI runs.
--write  Records the results of these browsers, and writes the tables of docs/isolation.md.

Installs what is missing of Debian's packages, and the drivers of tools/browsers. Ends with "N passed, N failed".

  npm run browsers
  npm run browsers -- firefox --short`;

const args = process.argv.slice(2);
const named = args.filter((word) => word in browsers);
const isKnown = (word) => word in browsers || word === '--short' || word === '--write';
const recordsPart = args.includes('--write') && args.includes('--short');
if (!args.every(isKnown) || recordsPart) {
  console.log(recordsPart ? `A short run is not recorded.\n\n${help}` : help);
  process.exit(args.includes('--help') ? 0 : 1);
}
const chosen = named.length > 0 ? named : Object.keys(browsers);
const node = prepare();
const problem = await installDebian(chosen.flatMap((name) => browsers[name]));
if (problem) fail(missingPackages(problem));
installTools('browsers');
const chromium = process.env.GANTRY_CHROMIUM ?? prepareBrowser(node);
if (!chromium) fail('Missing: Chromium (the reason is above).');
// The app of the dev host imports the SDK as an author's does: from what is built.
if (!args.includes('--short') && run(node, ['node_modules/typescript/bin/tsc', '-b']) !== 0) {
  fail('The packages were not built: the reason is above.');
}
become(node, ['scripts/browsers/main.ts', ...args], { env: sourceEnv({ GANTRY_CHROMIUM: chromium }) });

function fail(message) {
  console.log(`${message}\n\n0 passed, 1 failed`);
  process.exit(1);
}
