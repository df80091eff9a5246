// Part "testers" of `npm test`: from an empty folder to passing scenarios of a gadget, and the
// files that a failure leaves.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, sourceEnv } from './prepare.mjs';
import { createSteps, expect, findBrowser, findTarballs, plainEnv, runCommand, scratchFolder } from './stranger.mjs';

if (process.argv.length > 2) {
  console.log(`Usage: node scripts/testers.mjs

Tests a gadget as a new user would: from tarballs, in an empty folder, with a scenario of a few
lines, the recipes of the guide, a scenario that fails, its tape, and modules in Node. Ends with "N passed, N failed".

GANTRY_TARBALLS names a folder of tarballs made before by npm run pack, GANTRY_CHROMIUM a browser.

  npm test -- testers`);
  process.exit(process.argv.includes('--help') ? 0 : 1);
}

/** The promise to a new tester. */
const mostLines = 10;

const node = prepare();
const scratch = scratchFolder('gantry-testers-');
const tarballs = findTarballs(node, scratch);
const env = { ...plainEnv(node), GANTRY_CHROMIUM: findBrowser(node) };
const example = join(root, 'examples/testing');
const folder = join(scratch, 'first-tests');
const { step, end } = createSteps();
const startedAtMs = performance.now();

await step('a gadget, a configuration and one scenario, installed from tarballs', async () => {
  mkdirSync(join(folder, 'tests'), { recursive: true });
  cpSync(join(example, 'harbour'), join(folder, 'harbour'), { recursive: true });
  cpSync(join(example, 'playwright.config.ts'), join(folder, 'playwright.config.ts'));
  cpSync(join(example, 'tests/first.spec.ts'), join(folder, 'tests/first.spec.ts'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const { devDependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
  const others = Object.entries(devDependencies).filter(([name]) => !name.startsWith('@gantry/'));
  const files = readdirSync(tarballs).map((file) => join(tarballs, file));
  const flags = ['--save-dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await succeed(['npm', 'install', ...flags, ...files, ...others.map(([name, range]) => `${name}@${range}`)]);
});

await step('the first scenario is green', async () => {
  const lines = readFileSync(join(folder, 'tests/first.spec.ts'), 'utf8').trim().split('\n').length;
  expect(lines <= mostLines, `It has ${lines} lines.`);
  await playwright(['tests/first.spec.ts'], '1 passed');
  const seconds = (performance.now() - startedAtMs) / 1_000;
  console.log(`  ${lines} lines, ${seconds.toFixed(1)} s from the empty folder`);
});

await step('each recipe of the guide holds', async () => {
  cpSync(join(example, 'tests'), join(folder, 'tests'), { recursive: true });
  const recipes = readFileSync(join(example, 'tests/recipes.spec.ts'), 'utf8').match(/^test\(/gm).length;
  await playwright(['tests/recipes.spec.ts'], `${recipes} passed`);
});

const tape = join(folder, 'test-results/failed.tape');

await step('a scenario that fails leaves its tape, and the line that opens it', async () => {
  const text = readFileSync(join(example, 'tests/first.spec.ts'), 'utf8');
  writeFileSync(join(folder, 'tests/wrong.spec.ts'), text.replace('Ada Lovell', 'Nobody Here'));
  const { code, stdout } = await run(['npx', 'playwright', 'test', 'tests/wrong.spec.ts']);
  expect(code === 1, stdout);
  const [, path] = /npx @gantry\/cli open (\S+\.tape)/.exec(stdout) ?? [];
  expect(path !== undefined, stdout);
  cpSync(join(folder, path), tape);
});

await step('its tape is equal to itself, and becomes a scenario', async () => {
  const gantry = ['node', 'node_modules/@gantry/cli/bin/gantry.js', 'tape'];
  await succeed([...gantry, 'diff', tape, tape]);
  const { stdout } = await succeed([...gantry, 'test', tape]);
  expect(stdout.includes("from '@gantry/testing'"), stdout);
});

await step('modules that use osapi are tested in Node', async () => {
  for (const part of ['src', 'unit']) cpSync(join(example, part), join(folder, part), { recursive: true });
  const { stdout } = await succeed(['node', '--test', 'unit/note.test.js']);
  expect(/^. pass 2$/m.test(stdout), stdout);
});

await step('a host in Node and running sites lead the same conversations (drift test)', () =>
  vitest('packages/testing/test/drift/vite.config.ts'),
);

process.exit(end());

/** Runs tests of the checkout that need a configuration of their own. */
async function vitest(config) {
  const command = [node, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(root, config)];
  const testEnv = sourceEnv({ GANTRY_CHROMIUM: env.GANTRY_CHROMIUM, NO_COLOR: '1' });
  const { code, stdout, stderr } = await runCommand(command, { cwd: root, env: testEnv });
  expect(code === 0, `${stdout}${stderr}`);
  console.log(`  ${/Tests\D*(\d+ passed)/.exec(stdout)?.[1]}`);
}

/** Runs tests and expects all of them to pass. */
async function playwright(args, passed) {
  const { code, stdout, stderr } = await run(['npx', 'playwright', 'test', ...args]);
  expect(code === 0 && stdout.includes(passed), `${stdout}${stderr}`);
}

async function succeed(command) {
  const { code, stdout, stderr } = await run(command);
  expect(code === 0, `${command.slice(0, 4).join(' ')} …\n${stdout}${stderr}`);
  return { stdout };
}

function run(command) {
  return runCommand(command, { cwd: folder, env });
}
