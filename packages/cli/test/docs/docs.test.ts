import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importWorld, serviceMigrations } from '@gantry/service';
import { migrate, openSqlite } from '@gantry/store';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const readmes = globSync('{packages,examples}/{*/,}README.md', { cwd: root });

/** Fenced code of one language, with its page and line. */
function blocks(language: string): { readonly name: string; readonly code: string }[] {
  return [...pages, ...readmes].flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => ({
      name: `${page}:${text.slice(0, match.index).split('\n').length}`,
      code: match[1] as string,
    }));
  });
}

test('the README of @gantry/server has the ten lines of a site that the README has', () => {
  const [site] = blocks('ts').filter(({ name }) => name.startsWith('README.md:'));
  expect(readFileSync(join(root, 'packages/server/README.md'), 'utf8')).toContain(site?.code);
});

test('TypeScript in Markdown compiles against the packages', () => {
  // Fragments of the guide for testers stand in its example, which `tester-guide.test.ts` holds and
  // the compiler reads.
  const isFragment = ({ name, code }: { readonly name: string; readonly code: string }) =>
    name.startsWith('docs/guides/tester.md:') && !code.startsWith('import ');
  const examples = blocks('ts').filter((block) => !isFragment(block));
  expect(examples.length).toBeGreaterThan(3);
  const folder = mkdtempSync(join(root, 'packages/cli/.docs-'));
  try {
    examples.forEach(({ name, code }, index) => {
      writeFileSync(join(folder, `example-${index}.ts`), `// ${name}\n${code}\nexport {};\n`);
    });
    const config = {
      extends: '../../../tsconfig.tests.json',
      compilerOptions: { rootDir: '../../..', noUnusedLocals: false, tsBuildInfoFile: './.tsbuildinfo' },
      include: ['*.ts'],
      references: ['cli', 'osapi', 'container'].map((name) => ({ path: join(root, 'packages', name) })),
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(spawnSync(process.execPath, [tsc, '-b', folder], { encoding: 'utf8' }).stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('JSON in Markdown is JSON', () => {
  for (const { name, code } of blocks('json')) expect(() => JSON.parse(code), name).not.toThrow();
});

test('the world file of the docs can be imported, but for its picture', async () => {
  const [{ code } = { code: '' }] = blocks('json').filter(({ name }) => name.startsWith('docs/world-file.md'));
  const { mediaItems: _, ...world } = JSON.parse(code);
  const db = openSqlite({ file: ':memory:' });
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const report = await importWorld(db, world, { folder: root, mediaFolder: root, secretKey: new Uint8Array(32) });
  expect(report.counts).toMatchObject({ members: 2, friendships: 1, activities: 1, albums: 1 });
  await db.close();
});

test('links between pages lead somewhere', () => {
  expect(readmes.length).toBeGreaterThan(15);
  for (const page of [...pages, ...readmes]) {
    const text = readFileSync(join(root, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(globSync(join(page, '..', target), { cwd: root }), `${page} → ${target}`).toHaveLength(1);
    }
  }
});

test('files that pages name are there', () => {
  const files = globSync('{packages,demo,e2e,bench,examples,scripts,docs}/**/*.*', {
    cwd: root,
    exclude: (name) => /(^|[\\/])(node_modules|dist)$/.test(name),
  });
  const named = [...pages, ...readmes]
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/(?<!\*\*)`([\w./-]+\.(?:ts|mjs))`/g)].map(
        ([, file = '']) => ({
          page,
          file,
        }),
      ),
    );
  const isThere = (file: string) =>
    files.some((path) =>
      `/${path.replace('/src/', '/')}`.endsWith(`/${file.replace(/^\.+\//, '').replace('/src/', '/')}`),
    );
  expect(named.length).toBeGreaterThan(40);
  expect(isThere('nowhere.ts')).toBe(false);
  expect(named.filter(({ file }) => !isThere(file))).toEqual([]);
});

test('docs/architecture.md lists the folders of each package, and no others', () => {
  const [, list = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('## Where the rest is');
  const named = [...list.matchAll(/^- `(.*?)`: /gm)].map(([, folder]) => folder);
  const folders = globSync('packages/*/{src,page,agent,node,tap,src/*}/', { cwd: root });
  expect(named.toSorted()).toEqual(folders.map((folder) => folder.slice('packages/'.length)).toSorted());
});
