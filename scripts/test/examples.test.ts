import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf, type PublicFunction } from './examples/public-functions.ts';
import { bodyOf, type Claims } from './examples/run-example.ts';

/** Functions that sites, authors and testers call: they have an example, and others none. */
const called: Readonly<Record<string, readonly string[]>> = {
  '@gantry/container': ['createContainer', 'defineGadgetElement'],
  '@gantry/lab': ['createLab'],
  '@gantry/oauth': ['signRequest', 'verifySignature'],
  '@gantry/server': [
    ...['createGantry', 'toNodeListener', 'createSiteProxy'],
    ...['addApp', 'listRegistered', 'readFacts', 'setPaused', 'dropApp'],
    ...['listHistory', 'rollbackApp', 'previewApp', 'endAppPreview'],
  ],
  '@gantry/testing/node': ['openHost', 'useHost'],
};

const root = join(import.meta.dirname, '../..');
const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const browser = { opened: undefined as Promise<Browser> | undefined };
const testOf = ({ example = '' }: PublicFunction): string | undefined =>
  /^\/\/ in (\S+)$/m.exec(example.split('\n')[0] ?? '')?.[1];
const isForBrowser = ({ example }: PublicFunction): boolean => example?.startsWith('// browser') ?? false;

// Examples name folders such as './media', and make them.
const before = process.cwd();
beforeAll(() => {
  process.chdir(mkdtempSync(join(tmpdir(), 'gantry-examples-')));
  for (const name of ['demo', 'examples', 'packages']) symlinkSync(join(root, name), name); // which examples read
});
afterAll(async () => {
  const scratch = process.cwd();
  process.chdir(before);
  rmSync(scratch, { recursive: true });
  await (await browser.opened)?.close();
});

const claims: Claims = {
  equals: (actual, written) => expect(actual).toEqual(written),
  async throws(run, code) {
    const error = await Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (reason) => reason,
      );
    expect(`${error?.code} ${error?.name}: ${error?.message}`).toContain(code);
  },
};

const AsyncFunction: new (...args: string[]) => (...args: unknown[]) => Promise<void> = Object.getPrototypeOf(
  async () => {},
).constructor;

test('packages have functions that strangers call', () => {
  const specifiers = folders.flatMap((folder) => entriesOf(root, folder).map(({ specifier }) => specifier));
  expect(specifiers).toEqual(expect.arrayContaining(Object.keys(called)));
});

for (const folder of folders) {
  for (const { specifier, functions } of entriesOf(root, folder)) {
    const examples = functions.filter((one) => one.example !== undefined && testOf(one) === undefined);
    const inTests = functions.filter((one) => testOf(one) !== undefined);

    describe(specifier, () => {
      test.each(examples.filter((one) => !isForBrowser(one)))('example of $name', async ({ example = '' }) => {
        const face = await import(/* @vite-ignore */ specifier);
        const body = stripTypeScriptTypes(`async () => {${bodyOf(example, Object.keys(face))}}`);
        const run = new AsyncFunction('claims', 'load', 'face', `await (${body})()`);
        await run(claims, (name: string) => import(/* @vite-ignore */ name), face);
      });

      // Code that needs a test runner of its own: it is run where it stands.
      test.each(inTests)('example of $name stands in its test', (one) => {
        const file = testOf(one) ?? '';
        const code = one.example?.split('\n').slice(1).join('\n') ?? '';
        expect(file).toMatch(/^(?:examples\/testing|e2e|packages\/[\w-]+\/test)\//);
        expect(code.trim()).not.toBe('');
        expect(squeezed(readFileSync(join(root, file), 'utf8'))).toContain(squeezed(code));
      });

      const inBrowser = examples.filter(isForBrowser);
      if (inBrowser.length > 0)
        test('examples in a browser', async () => {
          expect(await runInBrowser(folder, specifier, inBrowser)).toEqual([]);
        });

      test('functions that strangers call have an example, others none', () => {
        const names = functions.filter(({ example }) => example !== undefined).map(({ name }) => name);
        expect(names.sort()).toEqual([...(called[specifier] ?? [])].sort());
      });
    });
  }
}

/** Removes white space, which formatters and docblocks change. */
function squeezed(code: string): string {
  return code.replace(/\s+/g, '');
}

/** Runs the examples one after another, each in a page of its own, and resolves with failures. */
async function runInBrowser(folder: string, specifier: string, examples: readonly PublicFunction[]): Promise<string[]> {
  const face = Object.keys(await import(/* @vite-ignore */ specifier));
  const scratch = mkdtempSync(join(root, folder, '.examples-'));
  const failures: string[] = [];
  try {
    for (const { name, example = '' } of examples) {
      const entry = join(scratch, `${name}.ts`);
      writeFileSync(entry, moduleOf({ specifier, example, face }));
      const { output } = (await build({
        root: scratch,
        configFile: false,
        logLevel: 'error',
        resolve: { conditions: ['@gantry/source', 'browser', 'module', 'import', 'default'] },
        build: { write: false, minify: false, target: 'es2024', lib: { entry, formats: ['es'], fileName: name } },
      }).then((built) => (Array.isArray(built) ? built[0] : built))) as {
        output: { fileName: string; code?: string }[];
      };
      browser.opened ??= chromium.launch({
        executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox'],
      });
      const page = await (await browser.opened).newPage();
      await page.route('**/*', (route) => {
        const path = new URL(route.request().url()).pathname.slice(1);
        const file = output.find(({ fileName }) => fileName === path);
        if (file?.code) return route.fulfill({ contentType: 'text/javascript', body: file.code });
        return path === ''
          ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Example</title>' })
          : route.abort();
      });
      await page.goto('http://example.localhost/');
      // As text: Vitest would replace the import of a function.
      const call = `import('/${output[0]?.fileName}').then(({ run }) => run()).then(() => undefined, String)`;
      const failed = await page.evaluate<string | undefined>(call);
      if (failed !== undefined) failures.push(`${name}: ${failed}`);
      await page.close();
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return failures;
}

function moduleOf({
  specifier,
  example,
  face,
}: {
  readonly specifier: string;
  readonly example: string;
  readonly face: readonly string[];
}): string {
  const imports = [...example.matchAll(/^import .*? from '([^']+)';$/gm)].map(([, name]) => name as string);
  const names = [...new Set(imports)];
  return `import * as face from '${specifier}';
${names.map((name, index) => `import * as module${index} from '${name}';`).join('\n')}
const modules: Record<string, unknown> = { ${names.map((name, index) => `'${name}': module${index}`).join(', ')} };
const load = async (name: string): Promise<any> => modules[name];
const text = (value: unknown): string => JSON.stringify(value, (_, one) => (one === undefined ? 'undefined' : one));
const claims = {
  equals(actual: unknown, written: unknown): void {
    if (text(actual) !== text(written)) throw new Error(text(actual) + ' is not ' + text(written));
  },
  async throws(run: () => unknown, code: string): Promise<void> {
    const error: any = await Promise.resolve().then(run).then(() => undefined, (reason: unknown) => reason);
    if (!(error?.code + ' ' + error).includes(code)) throw new Error(error + ' is not ' + code);
  },
};
export async function run(): Promise<void> {
  ${bodyOf(example, face)}
}
`;
}
