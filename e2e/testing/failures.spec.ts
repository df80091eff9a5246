import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { browserOptions, type ChildProject, type ChildResult, createChildProject } from './child-project.ts';

// A new user's project that fails in each way, run once; the tests check its files.

const page = `<!doctype html>
<html lang="en">
  <head><title>Tides</title><script src="/gantry/osapi.js"></script></head>
  <body>
    <p id="who">…</p>
    <script>
      osapi.ready.then(async () => {
        console.warn('low tide');
        const me = await osapi.people.get({ userId: '@viewer' });
        document.getElementById('who').textContent = me.displayName ?? me.id;
        osapi.appdata.get({ keys: ['x'] }).execute(() => {});
        osapi.people.get({ userId: 'm-99999' }).execute(() => {});
      });
    </script>
  </body>
</html>`;

const files = {
  'tide-table/gadget.json': '{ "name": "Tides", "page": "index.html", "uses": ["people.get"] }',
  'tide-table/index.html': page,
  'wrong/gadget.json': '{ "name": "Wrong", "page": "index.html", "usess": [] }',
  'wrong/index.html': page,
  'unbuilt/gadget.json': '{ "name": "Unbuilt", "page": "index.html" }',
  'unbuilt/index.html': '<!doctype html><script type="module" src="./main.ts"></script>',
  'unbuilt/main.ts': 'const tide: number = ;\n',
  'playwright.config.ts': `
    import { defineConfig } from '@playwright/test';
    const project = (name, apps, more = {}) => ({ name, testMatch: more.testMatch ?? 'starts.spec.ts', use: { apps, ...more.use } });
    export default defineConfig({
      workers: 2,
      use: { browserName: 'chromium', launchOptions: ${browserOptions} },
      projects: [
        { ...project('ends', ['./tide-table'], { testMatch: 'ends.spec.ts' }), retries: 1 },
        { ...project('no-folder', ['./nothing']), retries: 1 },
        project('wrong', ['./wrong']),
        project('unbuilt', ['./unbuilt']),
        project('no-world', ['./tide-table'], { use: { world: 'frendly' } }),
        project('no-browser', ['./tide-table'], { use: { launchOptions: { executablePath: '/nowhere/chrome' } } }),
      ],
    });`,
  'starts.spec.ts': `
    import { test } from '@gantry/testing';
    for (const name of ['one', 'two', 'three']) test(name, async ({ gadget }) => { await gadget.mount(); });`,
  'ends.spec.ts': `
    import { expect, test } from '@gantry/testing';
    test('fails', async ({ gadget }) => {
      await gadget.mount();
      await expect(gadget.frame.locator('#who')).toHaveText('Nobody at all', { timeout: 300 });
    });
    test('times out with two', async ({ gadget, gantry }) => {
      await gadget.mount('tide-table');
      const other = await gantry.open('m-2');
      await other.mount();
      test.setTimeout(1);
      await new Promise(() => {});
    });`,
};

let project: ChildProject;
let results: readonly ChildResult[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(240_000); // seven runs of Playwright, beside the unit tests
  project = await createChildProject(files);
  results = (await project.run()).results;
});
test.afterAll(() => project.remove());

const of = (name: string, title?: string): readonly ChildResult[] =>
  results.filter((one) => one.project === name && (title === undefined || one.title === title));
const names = ({ attachments }: ChildResult): readonly string[] => attachments.map(({ name }) => name);

test('a failed test leaves tape, calls, refusals, console and picture, each try its own', async () => {
  const tries = of('ends', 'fails');
  expect(tries.map(({ status }) => status)).toEqual(['failed', 'failed']);
  const tapes = tries.map(({ attachments }) => attachments.find(({ name }) => name === 'failure.tape')?.path);
  expect(new Set(tapes).size).toBe(2);
  for (const result of tries) {
    expect(names(result)).toEqual(
      expect.arrayContaining(['failure.tape', 'gadget calls', 'gadget refusals', 'gadget console', 'gadget.png']),
    );
    const tape = await readFile(result.attachments.find(({ name }) => name === 'failure.tape')?.path ?? '', 'utf8');
    const [head] = tape.split('\n').map((line) => line && (JSON.parse(line) as unknown));
    expect(head).toMatchObject({ tape: 1, isRedacted: true, test: { title: expect.stringContaining('fails') } });
    expect(tape).not.toContain('Ada');
    expect(tape).toContain('"operation":"people.get"');
    expect(tape).not.toMatch(/eyJ[\w-]+\.[\w-]+\./); // a token
    const context = result.attachments.find(({ name }) => name === 'error-context');
    const text = await readFile(context?.path ?? '', 'utf8');
    expect(text).toMatch(/npx @gantry\/cli open \S*failure\.tape/);
    expect(text).toContain('people.get {"userId":"@viewer"}');
    expect(text).toContain('warn: low tide');
  }
});

test('a test that times out leaves a tape of each gadget', () => {
  const [result] = of('ends', 'times out with two');
  expect(result?.status).toBe('timedOut');
  expect(names(result as ChildResult)).toEqual(
    expect.arrayContaining(['failure.tape', 'failure-2.tape', 'gadget-2.png']),
  );
});

test('each call is a step of the report, and a refused one does not fail its test', () => {
  const [result] = of('ends', 'fails');
  expect(result?.steps).toEqual(expect.arrayContaining(['people.get {"userId":"@viewer"}']));
  expect(result?.errors.join('\n')).not.toContain('appdata');
});

for (const { name, reason } of [
  { name: 'no-folder', reason: /There is no folder .*nothing, which apps names/ },
  { name: 'wrong', reason: /gadget\.json has no member "usess"\. Call it "uses"/ },
  { name: 'unbuilt', reason: /unbuilt cannot be built\. .*main\.ts:1:\d+/s },
  { name: 'no-world', reason: /frendly.*the worlds are friendly/s },
  { name: 'no-browser', reason: /chromium cannot start\..*\/nowhere\/chrome.*npx playwright install chromium/s },
]) {
  test(`a run that cannot start fails once, with its reason: ${name}`, () => {
    const tests = of(name);
    const statuses = tests.map(({ status }) => status).sort();
    // A retry fails again: one that is skipped makes a test flaky, and Playwright's exit code 0.
    expect(statuses).toEqual([...(name === 'no-folder' ? ['failed'] : []), 'failed', 'skipped', 'skipped']);
    expect(tests.find(({ status }) => status === 'failed')?.errors.join('\n')).toMatch(reason);
  });
}
