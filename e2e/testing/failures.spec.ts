import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTape, writeSpec } from '@gantry/lab/tape';
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
  'notes/gadget.json': '{ "name": "Notes", "page": "index.html" }',
  'notes/index.html': `<!doctype html>
<script src="/gantry/osapi.js"></script>
<button hidden>None</button><button>Other</button><button id="add">Add</button>
<label><input type="checkbox" id="loud"> Loud</label> <input id="text" aria-label="Ann's note"> <input type="password">
<select aria-label="Tide"><option>Low</option><option>High</option></select> <ul></ul> <div id="plain">Plain</div>
<script>
  const get = (id) => document.getElementById(id);
  const add = () => document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: get('text').value + get('loud').checked }));
  get('add').onclick = add;
  get('text').onkeydown = ({ key }) => { if (key === 'Enter') add(); };
  document.querySelector('select').onchange = add;
</script>`,
  'playwright.config.ts': `
    import { defineConfig } from '@playwright/test';
    const project = (name, apps, more = {}) => ({ name, testMatch: more.testMatch ?? 'starts.spec.ts', use: { apps, ...more.use } });
    export default defineConfig({
      workers: 2,
      use: { browserName: 'chromium', launchOptions: ${browserOptions} },
      projects: [
        { ...project('ends', ['./tide-table'], { testMatch: 'ends.spec.ts' }), retries: 1 },
        { ...project('no-folder', ['./nothing']), retries: 1 },
        { ...project('acts', ['./notes'], { testMatch: '*acts.spec.ts' }) },
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

const acts = {
  'acts.spec.ts': `
    import { expect, test } from '@gantry/testing';
    test('Ann Bell adds notes', async ({ gadget }) => {
      await gadget.mount();
      const { frame } = gadget;
      await frame.getByRole('button', { name: 'Add' }).click();
      await frame.getByLabel('Ann').pressSequentially('Ring Ann');
      await frame.getByLabel('Ann').press('Enter');
      await frame.getByText('Loud').click();
      await frame.locator('[type=password]').fill('open sesame');
      await frame.getByRole('combobox').selectOption('High');
      await frame.getByRole('button', { name: 'Add' }).press('Space');
      await expect(frame.getByRole('listitem')).toHaveCount(5, { timeout: 300 });
    });`,
};

let project: ChildProject;
let results: readonly ChildResult[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(240_000); // seven runs of Playwright, beside the unit tests
  project = await createChildProject({ ...files, ...acts });
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
    expect(head).toMatchObject({ tape: 1, isRedacted: true, test: { title: 'aaaaa', file: 'ends.spec.ts', line: 5 } });
    expect(tape).not.toContain('Ada');
    expect(tape).toContain('"operation":"people.get"');
    expect(tape).not.toMatch(/eyJ[\w-]+\.[\w-]+\./); // a token
    const context = result.attachments.find(({ name }) => name === 'error-context');
    const text = await readFile(context?.path ?? '', 'utf8');
    expect(text).toMatch(/npx @gantry\/cli open \S*failure\.tape/);
    expect(text).toContain('people.get {"userId":"@viewer"}');
    expect(text).toContain('warn: low tide');
    expect(text).toMatch(/Frame of the gadget:\n\n?- paragraph: Ada Lovell/);
    const picture = result.attachments.find(({ name }) => name === 'gadget.png');
    expect(picture?.path).toMatch(/test-results\/[^/]+\/gadget\.png$/);
  }
});

test('the test that is written out of a tape does the same, and fails at the same expectation', async () => {
  const [first] = of('acts');
  const tape = await readFile(first?.attachments.find(({ name }) => name === 'failure.tape')?.path ?? '', 'utf8');
  expect(tape).not.toMatch(/Ann|Ring|Low|Loud|sesame/);
  const spec = writeSpec(readTape(tape));
  const steps = [...spec.matchAll(/^ +await (?:expect\()?gadget\.frame\.(.*);$/gm)].map(([, step]) => step);
  expect(steps).toEqual([
    "getByRole('button').nth(1).click()",
    expect.stringMatching(/^getByRole\('textbox'\)\.nth\(0\)\.fill\('[A-Z][a-z]{3} [A-Z][a-z]{2}'\)$/),
    "getByRole('textbox').nth(0).press('Enter')",
    "getByRole('checkbox').nth(0).click()",
    "getByRole('combobox').nth(0).selectOption({ index: 1 })",
    "getByRole('button').nth(1).press('Space')",
    "getByRole('listitem')).toHaveCount(5)",
  ]);
  expect(spec).toContain("test.fixme(true, 'A fill is missing here, on textbox.');"); // a password is on no tape
  const whole = spec
    .replace(/^.*A fill is missing.*\n/m, '')
    .replace('toHaveCount(5)', 'toHaveCount(5, { timeout: 300 })');
  await writeFile(join(project.folder, 'again-acts.spec.ts'), whole);
  const [again] = (await project.run('again-acts.spec.ts', '--project=acts')).results;
  expect(again?.errors.join('\n')).toMatch(/Expected:.*5.*Received:.*4/s);
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
