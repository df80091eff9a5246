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
const asked = (send: string) =>
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
    run: asked('osapi.albums.get().then(() => {})'),
    fails: /OsapiError: The lab made this call fail with 503\..* of albums\.get \(call #1\)/,
  },
  'a failed call without a function': {
    run: asked('osapi.albums.get().execute()'),
    fails: /Uncaught in tides, for m-1:\n {2}albums\.get: The lab made this call fail with 503\.\n/,
  },
  'a failed call with one': { run: asked('osapi.albums.get().execute(() => {})') },
  'an error of a second member': {
    run: "await gadget.mount('tides'); await (await gantry.open('m-2')).mount('throws');",
    fails: /Uncaught in throws, for m-2:/,
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
  'an expected error': { run: "await gadget.mount('throws');", use: '{ expectedErrors: [/no tide/] }' },
  'an expected error that did not come': {
    run: "await gadget.mount('tides');",
    use: "{ expectedErrors: ['no tide'] }",
    fails: /Expected errors that did not come: no tide/,
  },
};

const files = {
  ...within('tides', gadget('')),
  ...within('throws', gadget("throw new TypeError('no tide');")),
  ...within('rejects', gadget("Promise.reject(new Error('ebb'));")),
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
  test.setTimeout(180_000);
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
