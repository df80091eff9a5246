import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { installed, names, published, root, run, site, tools } from './harness.ts';
import { snippetsIn } from './snippets.ts';

const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(tools, 'typescript/bin/tsc'),
};
const resolutions = { nodenext: 'nodenext', bundler: 'esnext' };

/**
 * Code of the docs by environment: a server has no DOM, a page no Node, and a Playwright test both.
 */
const places = {
  server: {
    lib: ['ES2024'],
    types: ['node'],
    packages: ['account', 'cli', 'create-gantry', 'dev', 'lab', 'oauth', 'proxy', 'server', 'service', 'store', 'wire'],
    guides: ['README.md', 'docs/guides/site-owner.md'],
  },
  test: {
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    packages: ['testing'],
    guides: [],
  },
  page: {
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: [],
    packages: ['bridge', 'container', 'osapi', 'wire'],
    guides: ['docs/guides/app-author.md', 'docs/app-api.md', 'docs/worlds.md', 'docs/accessibility.md'],
  },
};

/**
 * TypeScript 5.9 takes five times as long, and attw has checked each resolution with it, so it runs
 * on a common server and page only. Playwright's types dominate a test's check: once.
 */
const tried: Readonly<Record<string, (place: string, resolution: string) => boolean>> = {
  'TypeScript 7': (place, resolution) => place !== 'test' || resolution === 'nodenext',
  'TypeScript 5.9': (place, resolution) => place !== 'test' && (place === 'server') === (resolution === 'nodenext'),
};

for (const [compiler, tsc] of Object.entries(compilers)) {
  for (const [moduleResolution, module] of Object.entries(resolutions)) {
    for (const [place, { lib, types, packages, guides }] of Object.entries(places)) {
      if (!tried[compiler]?.(place, moduleResolution)) continue;
      test(`${compiler}, ${moduleResolution}: examples in the docs for a ${place} have types`, async () => {
        const folder = join(site, 'types', `${compiler}-${moduleResolution}-${place}`.replaceAll(/[ .]/g, '-'));
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
        for (const [path, code] of filesFor(packages, guides)) writeFileSync(join(folder, path), code);
        writeFileSync(join(folder, 'tsconfig.json'), tsconfig({ lib, types, module, moduleResolution }));
        writeFileSync(join(folder, 'wrong.ts'), wrongUses(packages));
        const { text } = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']);
        const errors = text
          .split('\n')
          .filter((line) => line !== '' && !/\bwrong\.ts\(\d+,\d+\): error TS2305: /.test(line));
        expect(errors).toEqual([]);
        // Positive control: a wrong use of each package is an error, so none of them is `any`.
        expect(text.match(/error TS2305/g)).toHaveLength(packages.length);
      });
    }
  }
}

test('a script tag’s globals have types by naming @gantry/osapi/osapi.js, and only then', async () => {
  const folder = join(site, 'types', 'globals');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'gadget.ts'), 'osapi.people.getViewer().execute(() => gadgets.window.adjustHeight());');
  const options = { ...places.page, module: 'esnext', moduleResolution: 'bundler' };
  const check = async (types: readonly string[]) => {
    writeFileSync(join(folder, 'tsconfig.json'), tsconfig({ ...options, types }));
    return run(process.execPath, [compilers['TypeScript 5.9'], '-p', folder]);
  };
  expect(await check(['@gantry/osapi/osapi.js'])).toEqual({ code: 0, text: '' });
  expect((await check([])).text).toContain("Cannot find name 'osapi'");
});

interface CompilerOptions {
  readonly lib: readonly string[];
  readonly types: readonly string[];
  readonly module: string;
  readonly moduleResolution: string;
}

/** The strictest options that a consumer is likely to have. */
function tsconfig(options: CompilerOptions): string {
  const strict = [
    'strict',
    'exactOptionalPropertyTypes',
    'noUncheckedIndexedAccess',
    'noPropertyAccessFromIndexSignature',
  ];
  const compilerOptions = {
    ...Object.fromEntries(strict.map((name) => [name, true])),
    noEmit: true,
    target: 'es2024',
    jsx: 'react-jsx',
    skipLibCheck: false,
    verbatimModuleSyntax: true,
    lib: options.lib,
    types: options.types,
    module: options.module,
    moduleResolution: options.moduleResolution,
  };
  return JSON.stringify({ compilerOptions, include: ['*'] });
}

/** Code blocks of the packages' READMEs and of guides, a file each. */
function filesFor(packages: readonly string[], guides: readonly string[]): [path: string, code: string][] {
  const readmes = packages.map((name) => join(installed(name), 'README.md'));
  return [...readmes, ...guides.map((path) => join(root, path))].flatMap((file, number) =>
    ['ts', 'tsx'].flatMap((language) =>
      snippetsIn(file, language).map((code, index): [string, string] => [
        `${basename(dirname(file))}-${number}-${index}.${language}`,
        code,
      ]),
    ),
  );
}

function wrongUses(packages: readonly string[]): string {
  return packages
    .map((name) => `import { noSuchThing as ${name.replace('-', '_')} } from '${published(name)}';\n`)
    .join('');
}

test('each package has an example in its README', () => {
  for (const name of names) expect(snippetsIn(join(installed(name), 'README.md'), 'ts'), name).not.toEqual([]);
});
