import type { Entry } from '@gantry/lab';
import { createTape, writeTape } from '@gantry/lab/tape';
import { expect, test } from '@playwright/test';
import { browserOptions, type ChildProject, type ChildResult, createChildProject } from './child-project.ts';

// A project whose tests would be green for a wrong reason, run once. Each has the sentence that it
// fails with; without one it passes.

const gadget = (script: string, body = '<h1>Tides</h1><button>Ask</button>') => ({
  'gadget.json':
    '{ "name": "Tides", "page": "index.html", "uses": ["people.get", "appdata.get", "appdata.update", "albums.get"] }',
  'index.html': `<!doctype html><html lang="en"><title>Tides</title><script src="/gantry/osapi.js"></script>
    ${body}<script src="app.js"></script></html>`,
  'app.js': script,
});
const within = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

interface Case {
  /** Body of the test, with `gadget`, `gantry` and `page`. */
  readonly run: string;
  /** Text of the failure. */
  readonly fails?: RegExp;
  /** For `test.use`. */
  readonly use?: string;
}

const throwing = "gantry.calls.once('albums.get', (call) => call.fail(503)); await gadget.mount('tides');";
const failing = (send: string) =>
  `${throwing} await gadget.frame.locator('html').evaluate(() => void (${send})); await gadget.settled();`;

const cases: Readonly<Record<string, Case>> = {
  'a script error': {
    run: "await gadget.mount('throws');",
    fails: /^Error: Uncaught in throws, for m-1:\n {2}TypeError: no tide at app\.js:1:\d+\n/,
  },
  'a rejection': {
    run: "await gadget.mount('rejects');",
    fails: /Error: ebb at app\.js:1:\d+\n/,
  },
  'a rejected call': {
    run: failing('osapi.albums.get().then(() => {})'),
    fails: /OsapiError: The lab made this call fail with 503\..* of albums\.get \(call #1\)/,
  },
  'a failed call without a function': {
    run: failing('osapi.albums.get().execute()'),
    fails: /Uncaught in tides, for m-1:\n {2}albums\.get: The lab made this call fail with 503\.\n/,
  },
  'a failed call with one': { run: failing('osapi.albums.get().execute(() => {})') },
  'an error of a second member': {
    run: "await gadget.mount('tides'); await (await gantry.open('m-2')).mount('throws');",
    fails: /Uncaught in throws, for m-2:/,
  },
  'an error of a script that comes after mount': {
    run: "await page.route('**/app.js', async (route) => { await new Promise((resolve) => setTimeout(resolve, 1_500)); await route.continue(); }); await gadget.mount('throws');",
    fails: /Uncaught in throws, for m-1:\n {2}TypeError: no tide/,
  },
  'a call that no handler met': {
    run: "gantry.calls.once('albums.get', (call) => call.fail(503)); gantry.calls.route('people.get', (call) => call.pass(), { optional: true }); await gadget.mount('tides');",
    fails: /calls\.once\('albums\.get'\) met no call\. Remove it, or allow that with \{ optional: true \}\./,
  },
  'a hold that no call met': {
    run: "gantry.calls.hold('albums.get').release(); await gadget.mount('tides');",
    fails: /calls\.hold\('albums\.get'\) met no call\./,
  },
  'a route that no call met, and is removed': {
    run: "gantry.calls.route('albums.get', (call) => call.pass()); gantry.calls.unroute(); await gadget.mount('tides');",
    fails: /calls\.route\('albums\.get'\) met no call\./,
  },
  'a fault that no call met': {
    run: "gantry.faults.once('albums.get').delay(5); gantry.faults.once('people.get', { optional: true }).kill(); await gadget.mount('tides');",
    fails: /^Error: faults\.once\('albums\.get'\)\.delay met no call\./,
  },
  'a matcher without await': {
    run: "await gadget.mount('tides'); void expect(gadget).toKeepWrites();",
    fails: /^Error: The test ended before expect\(gadget\)\.toKeepWrites\(\)\. Write await before each\.$/m,
  },
  'a mount without await': {
    run: "void gadget.mount('tides');",
    fails: /The test ended before gadget\.mount\(\)/,
  },
  'an expectation of the frame without await': {
    run: "await gadget.mount('tides'); void expect(gadget.frame.getByText('Ebb')).toBeVisible({ timeout: 9_000 });",
    fails: /The test ended before this\. Write await before it\./,
  },
  'a click without await': {
    run: "await gadget.mount('tides'); void gadget.frame.getByText('Ebb').click();",
    fails: /The test ended before this\. Write await before it\./,
  },
  'a refusal without await': {
    run: "await gadget.mount('tides'); void gantry.faults.deny('peopel'); await gadget.frame.getByText('Ebb').click();",
    fails: /^SocialError: No app here declares the permission peopel: did you mean people\?(?![\s\S]*ended)/,
  },
  'an app that was offline and called nothing': {
    run: "await gadget.mount('tides'); await gantry.network.offline(async () => {});",
    fails: /gantry\.network\.offline\(\) met no call of tides\. Remove it, or allow that with \{ optional: true \}\./,
  },
  'an app that called while it was offline, or need not': {
    run: "await gadget.mount('tides'); await gantry.network.offline(async () => {}, { optional: true }); await gantry.network.offline(() => gadget.frame.locator('html').evaluate(() => void osapi.albums.get().execute(() => {})));",
  },
  'a consent that nothing asks for': {
    run: "await gadget.mount('tides'); await gantry.consent.refuse();",
    fails: /^Error: No gadget asks for permissions\. The gadget shows no card: it is ready\./,
  },
  'a consent before mount': {
    run: 'await gantry.consent.allow();',
    fails: /^Error: No gadget asks for permissions\. No gadget is mounted: await gadget\.mount\(\) first\./,
  },
  'a withdrawal while the app asks': {
    run: "await gadget.mount('tides', { permissions: 'none' }); await gantry.consent.withdraw('people');",
    fails: /^Error: tides still asks for permissions: there is none to withdraw\./,
  },
  'a replay that waits as long as expectations do': {
    run: `const replay = await gadget.replay('asks.tape'); const startMs = Date.now();
      await expect(replay.finished()).rejects.toThrow('did not make call 1 of 1'); expect(Date.now() - startMs).toBeLessThan(15_000);`,
  },
  'a replay that would wait longer than its test': {
    run: "test.setTimeout(15_000); const replay = await gadget.replay('asks.tape'); await replay.finished({ timeout: 60_000 });",
    fails: /The app did not make call 1 of 1 that the tape has\./,
  },
  'a replay of a test whose page took a third of its time': {
    run: "test.setTimeout(15_000); const replay = await gadget.replay('asks.tape'); await replay.finished({ timeout: 60_000 });",
    use: '{ page: async ({ page }, use) => { await page.waitForTimeout(5_000); await use(page); } }',
    fails: /The app did not make call 1 of 1 that the tape has\./,
  },
  'a chained call while another is held': {
    run: `await gadget.mount('tides'); const held = gantry.calls.hold('albums.get');
      await gadget.frame.locator('html').evaluate(() => { osapi.albums.get().execute(() => {}); setTimeout(() => osapi.people.getViewer().execute(() => requestAnimationFrame(() => osapi.appdata.get({ keys: ['a'] }).execute(() => {})))); });
      await held.arrived; await expect(gadget).not.toHaveCalled('appdata.get'); held.release();`,
    fails: /Not expected: a call of appdata\.get/,
  },
  'a call that is not made while another is held': {
    run: `await gadget.mount('tides'); const held = gantry.calls.hold('albums.get');
      await gadget.frame.locator('html').evaluate(() => void osapi.albums.get().execute(() => {}));
      await held.arrived; await expect(gadget).not.toHaveCalled('appdata.get'); held.release(); await gadget.settled();`,
  },
  'an option of a replay that there is not': {
    run: "await gadget.replay('none.tape', { stat: 1 });",
    fails: /replay has no option stat: did you mean state\?/,
  },
  'an expected error': { run: "await gadget.mount('throws');", use: '{ expectedErrors: [/no tide/] }' },
  'an expected error that did not come': {
    run: "await gadget.mount('tides');",
    use: "{ expectedErrors: ['no tide'] }",
    fails: /Expected errors that did not come: no tide/,
  },
};

const of = { lab: 'lab', app: 'tides', place: 'm-1/tides#1', atMs: 1_000 };
const conversation: readonly Entry[] = [
  { ...of, number: 1, kind: 'handshake', sdk: '1.0.0', capabilities: [] },
  { ...of, number: 2, kind: 'context', context: { viewer: 'm-1' } },
  { ...of, number: 3, kind: 'call', call: 1, operation: 'people.get', params: {} },
  { ...of, number: 4, kind: 'reply', call: 1, ok: {}, tookMs: 1, size: 2 },
];

const files = {
  ...within('tides', gadget('')),
  ...within('throws', gadget("throw new TypeError('no tide');")),
  ...within('rejects', gadget("Promise.reject(new Error('ebb'));")),
  'asks.tape': writeTape(createTape({ host: 'lab', app: 'tides', scenario: {} }, conversation)),
  'playwright.config.ts': `
    import { defineConfig } from '@playwright/test';
    export default defineConfig({
      workers: 2,
      fullyParallel: true,
      expect: { timeout: 300 },
      use: { apps: ['tides', 'throws', 'rejects'], browserName: 'chromium', launchOptions: ${browserOptions} },
    });`,
  'green.spec.ts': `import { expect, test } from '@gantry/testing';\n${Object.entries(cases)
    .map(
      ([title, { run, use = '{}' }]) =>
        `test.describe(() => { test.use(${use}); test(${JSON.stringify(title)}, async ({ gadget, gantry, page }) => { ${run} }); });`,
    )
    .join('\n')}`,
};

let project: ChildProject;
let results: readonly ChildResult[];

test.beforeAll(async () => {
  test.setTimeout(360_000);
  project = await createChildProject(files);
  results = (await project.run()).results;
});
test.afterAll(() => project.remove());

for (const [title, { fails }] of Object.entries(cases)) {
  test(`${title} ${fails ? 'fails' : 'passes'}`, () => {
    const [result] = results.filter((one) => one.title === title);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the report has colours
    const errors = (result?.errors ?? []).map((text) => text.replaceAll(/\u001b\[\d+m/g, ''));
    if (fails) expect(errors.join('\n')).toMatch(fails);
    else expect(errors).toEqual([]);
    expect(result?.status).toBe(fails ? 'failed' : 'passed');
  });
}
