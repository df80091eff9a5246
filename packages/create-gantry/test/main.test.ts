import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import type { Asking } from '../src/ask.ts';
import { main } from '../src/main.ts';
import { ownEnvironment } from '../src/run-program.ts';

interface Given {
  readonly agent?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly codes?: readonly number[];
  readonly cwd?: string;
}

/** Runs a command line in an empty folder; programs are noted and not run. */
async function create(args: readonly string[], { agent = '', answers, codes = [], cwd }: Given = {}) {
  const folder = cwd ?? mkdtempSync(join(tmpdir(), 'gantry-create-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = { out: [] as string[], err: [] as string[] };
  const questions: string[] = [];
  const ran: string[][] = [];
  const answer = (question: string, preset: string) => {
    questions.push(question);
    return answers?.[question] ?? preset;
  };
  const asking: Asking = {
    text: async (question, preset) => answer(question, preset),
    choice: async (question, choices) => answer(question, Object.keys(choices)[0] ?? '') as keyof typeof choices,
  };
  const code = await main(
    args,
    { npm_config_user_agent: agent },
    {
      cwd: folder,
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
      asking: answers && asking,
      run: async (command) => codes[ran.push([...command]) - 1] ?? 0,
    },
  );
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { code, folder, questions, ran, read, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'];

test('asks at a terminal for what is not said, and for nothing else (ADR 49)', async () => {
  const whole = await create([], { answers: { 'Folder of the gadget:': 'tide', 'Written in:': 'vue' } });
  expect(whole.questions).toEqual(['Folder of the gadget:', 'Written in:', 'Install its packages with npm?']);
  expect(whole.read('tide/package.json')).toContain('"vue-tsc"');
  expect(whole.ran).toEqual([install]);
  expect((await create(['a', '--template', 'plain', '--no-install'], { answers: {} })).questions).toEqual([]);
  expect((await create(['a', '--yes'], { answers: {} })).questions).toEqual([]);
  expect((await create(['a'], { answers: { 'Install its packages with npm?': 'no' } })).ran).toEqual([]);
});

test('without a terminal takes what is usual, and ends with the next commands (ADR 49)', async () => {
  const { code, out, ran, read } = await create([]);
  expect([code, ran]).toEqual([0, [install]]);
  expect(read('my-gadget/package.json')).toContain('"typescript"');
  expect(out).toMatch(
    /^Created my-gadget \(My gadget\), TypeScript with Vite: \d+ files in my-gadget\n\nNext:\n {2}cd my-gadget\n {2}npm run dev$/,
  );
});

test('--json prints one object (ADR 49)', async () => {
  const { out, err, folder } = await create(['tide', '--template', 'plain', '--json', '--no-install']);
  expect(JSON.parse(out)).toMatchObject({
    ...{ id: 'tide', name: 'Tide', folder: join(folder, 'tide'), template: 'plain', packageManager: 'npm' },
    files: expect.arrayContaining(['gadget.json', 'index.html']),
    installed: false,
    next: ['cd tide', 'npm install', 'npm run dev'],
  });
  expect(err).toBe('');
});

test.each([
  ['pnpm/10.4.1 npm/? node/v24.0.0', 'pnpm', 'pnpm run dev', 'npm install --global pnpm@10.4.1', 'pnpm run test'],
  ['yarn/1.22.22 npm/? node/v24.0.0', 'yarn', 'yarn run dev', 'npm install --global yarn@1.22.22', 'yarn run test'],
  ['bun/1.3.0 npm/? node/v24.0.0', 'bun', 'bun run dev', 'npm install --global bun@1.3.0', 'bun run test'],
])('speaks the language of %s (ADR 49)', async (agent, manager, dev, setUp, testing) => {
  const { out, ran, read } = await create(['tide'], { agent });
  expect(ran).toEqual([[manager, 'install']]);
  expect(out).toContain(`  ${dev}`);
  const workflow = read('tide/.github/workflows/check.yml');
  expect(workflow).toContain(`- run: ${setUp}\n      - run: ${manager} install`);
  expect(workflow).toContain(`- run: ${testing}\n`);
  expect(workflow).not.toContain('npx');
  const push = read('tide/.github/workflows/push.yml');
  expect(push).toContain(`- run: ${setUp}\n      - run: ${manager} install`);
  expect(push).toMatch(/- run: \w+( exec)? gantry app push --id tide\n/);
  expect(read('tide/AGENTS.md')).toContain(`\`${dev} --port 0 --json --browser\``);
});

test('another user agent is npm’s (ADR 49)', async () => {
  expect((await create(['tide'], { agent: 'deno/2.0 $(reboot)' })).ran).toEqual([install]);
});

test('an installation that fails leaves the gadget, and says both (ADR 49)', async () => {
  const { code, out, err, read } = await create(['tide', '--start'], { codes: [1] });
  expect([code, err]).toEqual([1, 'npm could not install the packages: see its output above. The gadget was created.']);
  expect(out).toContain('Next:\n  cd tide\n  npm install\n  npm run dev');
  expect(read('tide/gadget.json')).toContain('"Tide"');
});

test('--start ends with the gadget in a browser (ADR 49)', async () => {
  const { ran, folder, code } = await create(['tide', '--start'], { codes: [0, 0] });
  const gantry = join(folder, 'tide/node_modules/@gantry/cli/bin/gantry.js');
  expect([ran, code]).toEqual([[install, [process.execPath, gantry, 'dev', '--open']], 0]);
});

test.each([
  [['a', 'b'], 'takes one folder'],
  [[''], 'is empty'],
  [['a', '--template', 'svelte'], '--template takes typescript, react, vue, plain, not "svelte".'],
  [['a', '--template', 'x\u001b[31m'], 'not "x\\u001b[31m"'],
  [['a', '--start', '--no-install'], '--start needs'],
  [['a', '--overwrite'], "Unknown option '--overwrite'"],
])('%j is not understood, and nothing is written (ADR 49)', async (args, message) => {
  const { code, err, folder } = await create(args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(join(folder, 'a'))).toBe(false);
});

test('a folder is named in commands so that a shell takes it for one word (ADR 49)', async () => {
  const { out, read } = await create(["it's here/tide", '--no-install']);
  expect(out).toContain("  cd 'it'\\''s here/tide'");
  expect(read("it's here/tide/gadget.json")).toContain('"Tide"');
});

test('. is this folder, if its name can be an id; .. is not empty (ADR 49)', async () => {
  const parent = folderForTest();
  for (const name of ['tide', 'My Gädget!']) mkdirSync(join(parent, name));
  const here = await create(['.', '--no-install'], { cwd: join(parent, 'tide') });
  expect([here.code, here.out]).toEqual([0, expect.stringContaining('files in .\n\nNext:\n  npm install')]);
  const odd = await create(['.', '--no-install'], { cwd: join(parent, 'My Gädget!') });
  expect([odd.code, odd.err]).toEqual([1, expect.stringContaining('name a folder, for example my-gadget')]);
  mkdirSync(join(parent, 'again'));
  const above = await create(['..', '--no-install'], { cwd: join(parent, 'again') });
  expect([above.code, above.err]).toEqual([1, expect.stringContaining('is not empty: My Gädget!, again, tide.')]);
});

test('an installation inherits registry and cache, and no other settings of npm create (ADR 49)', () => {
  const npm = { PATH: '/bin', npm_config_registry: 'https://r.example/', npm_config_cache: '/c' };
  const dropped = {
    npm_config_package: 'create-gantry',
    npm_config_global: 'true',
    npm_package_name: 'x',
    INIT_CWD: '/',
  };
  expect(ownEnvironment({ ...npm, ...dropped })).toEqual(npm);
});
