// Part "authors" of `npm test`: from an empty folder to a gadget with data, and a coding agent's
// path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { prepare } from './prepare.mjs';
import {
  createCommand,
  createSteps,
  expect,
  findBrowser,
  findTarballs,
  plainEnv,
  runCommand,
  scratchFolder,
} from './stranger.mjs';

if (process.argv.length > 2) {
  console.log(`Usage: node scripts/authors.mjs

Makes a gadget of the template typescript from tarballs, in an empty folder, and times it until its data is on the screen.
Then takes the path of a coding agent: without a terminal it breaks the gadget, reads the problem and its cure, fixes it,
checks and tests. Ends with "N passed, N failed".

GANTRY_TARBALLS names a folder of tarballs made before by npm run pack, GANTRY_CHROMIUM a browser.

  npm test -- authors`);
  process.exit(process.argv.includes('--help') ? 0 : 1);
}

/** Time limit of each wait. */
const patienceMs = 180_000;

const node = prepare();
const scratch = scratchFolder('gantry-authors-');
const tarballs = findTarballs(node, scratch);
const browserPath = findBrowser(node);
const env = { ...plainEnv(node), GANTRY_CHROMIUM: browserPath };
const folder = join(scratch, 'tide-table');
const children = [];
process.on('exit', () => {
  for (const child of children) kill(child, 'SIGKILL');
});

const { step, end } = createSteps();
const startedAtMs = performance.now();

await step('made and installed without a terminal, and reported as JSON', async () => {
  const { code, stdout, stderr } = await runCommand(createCommand(tarballs, ['Tide table', '--yes', '--json']), {
    cwd: scratch,
    env,
  });
  expect(code === 0, stderr);
  const made = JSON.parse(stdout);
  expect(made.id === 'tide-table' && made.folder === folder && made.installed, stdout);
  expect(made.next.join(' && ') === 'cd tide-table && npm run dev', stdout);
});

await step('its data is on the screen', async () => {
  const dev = start(['npm', 'run', 'dev', '--', '--port', '0']);
  const url = await untilLine(dev, (line) => /Gantry dev ready at (http:\/\/\S+)/.exec(line)?.[1]);
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const friend = page.frameLocator('iframe').getByRole('listitem').first();
    await friend.waitFor({ timeout: patienceMs });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    console.log(`  ${seconds.toFixed(1)} s from the empty folder to ${JSON.stringify(await friend.innerText())}`);
  } finally {
    await browser.close();
    await stop(dev);
  }
});

await step('a call that gadget.json does not list is refused with its cure, and resolved by it', async () => {
  const dev = start(['node', 'node_modules/@gantry/cli/bin/gantry.js', 'dev', '--port', '0', '--json', '--browser']);
  await untilEvent(dev, ({ event }) => event === 'ready');
  await untilEvent(dev, ({ event, what }) => event === 'load' && what === 'ready');
  const call = "import { osapi } from '@gantry/osapi';\nosapi.activities.get({ userId: '@viewer' }).execute();\n";
  edit('src/main.ts', (text) => call + text);
  const isAbout = ({ cure = '', example = '' }) => `${cure}${example}`.includes('activities.get');
  const problem = await untilEvent(dev, (event) => event.event === 'problem' && isAbout(event));
  console.log(`  ${problem.what} ${problem.cure} ${problem.example ?? ''}`);
  expect(problem.app === 'tide-table', JSON.stringify(problem));
  edit('gadget.json', (text) => text.replace('"people.get",', '"people.get", "activities.get",'));
  await untilEvent(dev, (event) => event.event === 'resolved' && event.id === problem.id);
  await stop(dev);
});

await step('gadget.json knows a schema that is there', () => {
  const { $schema } = JSON.parse(readFileSync(join(folder, 'gadget.json'), 'utf8'));
  expect(JSON.parse(readFileSync(join(folder, $schema), 'utf8')).title === 'gadget.json', $schema);
});

for (const script of ['check', 'test']) {
  // check builds
  await step(`npm run ${script}`, async () => {
    const { code, stdout, stderr } = await runCommand(['npm', 'run', script], { cwd: folder, env });
    expect(code === 0, `${stdout}${stderr}`);
  });
}

process.exit(end());

function edit(path, change) {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  expect(changed !== text, `${path} is not what this script changes.`);
  writeFileSync(file, changed);
}

/**
 * Starts a program of the gadget's folder in a process group of its own, since npm starts others.
 */
function start([program, ...args]) {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  children.push(child);
  const run = { child, lines: [], errors: '', onLine: () => {} };
  createInterface({ input: child.stdout }).on('line', (line) => {
    run.lines.push(line);
    run.onLine();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    run.errors += text;
  });
  child.on('close', () => run.onLine());
  return run;
}

/**
 * Resolves with the first defined result of `find` over the lines that no earlier wait consumed.
 */
async function untilLine(run, find) {
  const deadline = AbortSignal.timeout(patienceMs);
  for (;;) {
    while (run.lines.length > 0) {
      const match = find(run.lines.shift());
      if (match !== undefined) return match;
    }
    const isOver = run.child.exitCode !== null || deadline.aborted;
    if (isOver) throw new Error(`The program did not print ${find}.\n${run.errors}`);
    await new Promise((resolve) => {
      run.onLine = resolve;
      deadline.addEventListener('abort', resolve, { once: true });
    });
  }
}

function untilEvent(run, test) {
  return untilLine(run, (line) => {
    if (!line.startsWith('{')) return undefined; // npm names the script that it runs
    const event = JSON.parse(line);
    return test(event) ? event : undefined;
  });
}

async function stop({ child }) {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  kill(child, 'SIGTERM');
  await closed;
}

function kill({ pid, exitCode, signalCode }, signal) {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // it ended meanwhile
  }
}
