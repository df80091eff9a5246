import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainApp, typescriptApp, writeApps } from '../../../e2e/dev/sample-apps.ts';
import { type DevServer, startDevServer } from '../src/index.ts';
import { ask } from './ask.ts';

const secret = 'SECRET-OF-THE-AUTHOR';

let dev: DevServer;
let run: string;
let built: string;
let outside: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const { folders, remove } = await writeApps({ built: typescriptApp, plain: plainApp, other: plainApp });
  built = folders.built;
  outside = join(dirname(built), 'outside');
  await mkdir(join(outside, 'deep'), { recursive: true });
  await mkdir(join(built, '.git'));
  await mkdir(join(built, '.gantry'), { recursive: true });
  const secrets = [
    ...['.env', '.env.local', '.git/config', '.gantry/last-run.json', 'server.key'].map((name) => join(built, name)),
    ...['secret.txt', 'secret.js', 'deep/page.html'].map((name) => join(outside, name)),
    join(folders.other, 'secret.js'),
    join(folders.plain, '.env'),
  ];
  for (const file of secrets) await writeFile(file, `export const leaked = '${secret}';\n`);
  await symlink(outside, join(built, 'linked'));
  await symlink(join(outside, 'secret.js'), join(built, 'src/linked.js'));
  await symlink(outside, join(built, '@linked'));
  await symlink(outside, join(folders.plain, 'linked'));
  dev = await startDevServer({ folders: [built, folders.plain], port: 0 });
  await fetch(`${dev.url}/dev/labs`, { method: 'POST', body: JSON.stringify({ scenario: {} }) });
  run = JSON.parse((await ask(dev.url, '/dev/hot')).text).run;
  close = async () => {
    await dev.close();
    await remove();
  };
});
afterAll(() => close());

function hostilePaths(): readonly string[] {
  const other = join(dirname(built), 'other/secret.js');
  const files = [
    `/@fs${outside}/secret.js`,
    `/@fs${outside}/secret.txt`,
    `/@fs${other}`,
    `/@fs${built}/.env`,
    '/@fs/etc/passwd',
  ];
  const inside = [
    '/.env',
    '/.env.local',
    '/.git/config',
    '/.gantry/last-run.json',
    '/server.key',
    '/linked/secret.js',
    '/linked/secret.txt',
    '/linked/deep/page.html',
    '/src/linked.js',
    '/@linked/secret.js',
    '/../outside/secret.js',
    '/..%2foutside/secret.js',
    '/%2e%2e/outside/secret.js',
    '/..%252foutside/secret.js',
    '/src/..%2f..%2foutside%2fsecret.js',
    '/..%5coutside%5csecret.js',
    '//etc/passwd',
    `/@id${outside}/secret.js`,
    `/@id/${outside}/secret.js`,
    `/@id/__x00__${outside}/secret.js`,
    `/@id/${encodeURIComponent(`${outside}/secret.js`)}`,
    '/@id/./.env',
    `/@fs/${built}/.env`,
    `/@fs${built}/src/..%2f.env`,
    `/@fs${built}/linked/secret.js`,
    `/@fs${built}/../outside/secret.js`,
    '/__open-in-editor?file=src/main.ts',
    '/node_modules/../.env',
  ];
  const queries = [
    '',
    '?raw',
    '?import&raw',
    '?url',
    '?inline',
    '?import',
    '?raw??',
    '?html-proxy&index=0.js',
    '?.svg',
    '?.wasm&init',
    '?t=1',
  ];
  return [...files, ...inside].flatMap((path) => queries.map((query) => path + (path.includes('?') ? '' : query)));
}

test("serves nothing from outside of an app's folder, and no hidden file, whatever a path says (security rules 5, 25)", async () => {
  const answers = await Promise.all(
    [...new Set(hostilePaths())].map(async (path) => ({
      path,
      ...(await ask(dev.url, `/gantry/apps/built/${run}${path}`)),
    })),
  );

  const leaks = answers.filter(({ text }) => text.includes(secret) || text.includes('root:') || text.includes(outside));
  expect(leaks.map(({ path }) => path)).toEqual([]);
  expect(answers.filter(({ status }) => status === 200).map(({ path }) => path)).toEqual([]);
});

test('leaks such files where Vite alone answers: the paths above are ones that would work', async () => {
  const { createServer } = await import('vite');
  const vite = await createServer({
    ...{ root: built, configFile: false, logLevel: 'silent', cacheDir: join(built, '.gantry/naive') },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false, deny: [] }, watch: null },
  });
  await vite.listen();
  const origin = new URL(String(vite.resolvedUrls?.local[0])).origin;
  const answers = await Promise.all(hostilePaths().map((path) => ask(origin, path)));
  await vite.close();

  expect(answers.filter(({ text }) => text.includes(secret)).length).toBeGreaterThan(10);
});

test.each(['/.env', '/linked/secret.js', '/linked/deep/page.html', '/..%2foutside/secret.js', '/../outside/secret.js'])(
  'keeps a folder that is served as it is to itself: %s (security rule 5)',
  async (path) => {
    const { status, text } = await ask(dev.url, `/gantry/apps/plain/${run}${path}`);

    expect([400, 404]).toContain(status);
    expect(text).not.toContain(secret);
  },
);

test('answers under the name of this run only, so that other sites cannot guess where files are', async () => {
  const file = await ask(dev.url, `/gantry/apps/built/${run}/src/main.ts`);
  const guessed = await Promise.all(
    ['src/main.ts', `${run}x/src/main.ts`, `x${run}/src/main.ts`, `${run}`, `${run}/`, `~${run}/src/main.ts`].map(
      (path) => ask(dev.url, `/gantry/apps/built/${path}`),
    ),
  );

  expect(file.status).toBe(200);
  expect(guessed.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});

test('serves what an app may have: sources, packages, and what Vite makes of them', async () => {
  const main = await ask(dev.url, `/gantry/apps/built/${run}/src/main.ts`);
  const imports = [...main.text.matchAll(/from "([^"]+)"|import "([^"]+)"/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  const answers = await Promise.all(imports.map((path) => ask(dev.url, path)));

  expect(imports.length).toBeGreaterThan(3);
  expect(answers.map(({ status }) => status)).toEqual(imports.map(() => 200));
});
