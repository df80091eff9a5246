// `npm run templates`: makes, installs, builds, checks and tests each template of create-gantry.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { createCommand, findBrowser, findTarballs, plainEnv, runCommand, scratchFolder } from './stranger.mjs';

const names = readdirSync(join(root, 'packages/create-gantry/templates')).filter(
  (name) => !['common', 'module'].includes(name), // shared parts of templates
);
const chosen = process.argv.slice(2);
if (chosen.some((name) => !names.includes(name))) {
  console.log(`Usage: npm run templates [-- NAME …]

Packs Gantry, makes a gadget of each template named, or of all, in an empty folder outside of the repository, and runs there
what its author runs: install, build, check, test. Ends with "N passed, N failed".

  NAME  ${names.join(', ')}

GANTRY_TARBALLS names a folder of tarballs made before by npm run pack, GANTRY_CHROMIUM a browser.

  npm run templates
  npm run templates -- react vue`);
  process.exit(chosen.includes('--help') ? 0 : 1);
}

const node = prepare();
const scratch = scratchFolder('gantry-templates-');
const tarballs = findTarballs(node, scratch);
const env = { ...plainEnv(node), GANTRY_CHROMIUM: findBrowser(node) };

const rows = [];
for (const name of chosen.length > 0 ? chosen : names) rows.push(await tryTemplate(name));

const titles = ['create', 'install', 'build', 'check', 'test'];
console.log(`\n${['Template'.padEnd(12), ...titles.map((title) => title.padStart(8))].join('')}`);
for (const { name, cells } of rows) {
  console.log([name.padEnd(12), ...titles.map((title) => (cells.get(title)?.text ?? '–').padStart(8))].join(''));
}
const all = rows.flatMap(({ cells }) => [...cells.values()]);
const failed = all.filter(({ isFine }) => !isFine).length;
console.log(`\n${all.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && all.length > 0 ? 0 : 1);

/** Runs an author's commands until one fails. */
async function tryTemplate(name) {
  const folder = join(scratch, `hello-${name}`);
  const cells = new Map();
  const step = async (title, command, cwd = folder) => {
    const startedAtMs = performance.now();
    const { code, stdout, stderr } = await runCommand(command, { cwd, env });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    cells.set(title, { isFine: code === 0, text: code === 0 ? seconds.toFixed(1) : 'failed' });
    console.log(`${name}: ${title} ${code === 0 ? `${seconds.toFixed(1)} s` : `failed\n${stdout}${stderr}`}`);
    return code === 0;
  };
  const flags = [`hello-${name}`, '--template', name, '--no-install', '--yes'];
  const isDone =
    (await step('create', createCommand(tarballs, flags), scratch)) &&
    (await step('install', ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'])) &&
    (await step('build', ['npm', 'run', 'build', '--if-present'])) &&
    (await step('check', ['npm', 'run', 'check'])) &&
    (await step('test', ['npm', 'test']));
  if (!isDone) console.log(`${name}: the rest was not tried.`);
  return { name, cells };
}
