import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../server/test/free-port.ts';
import { memberPlace, nodeModule } from '../../src/init/node-module.ts';
import { type Stranger, sites, stranger } from './stranger.ts';

const packages = join(import.meta.dirname, '../../..');

/**
 * Starts a site that `gantry init` changed, over the packages of this workspace, and resolves with
 * its address.
 */
async function start(site: Stranger, entry: string): Promise<string> {
  mkdirSync(join(site.folder, 'node_modules'), { recursive: true });
  symlinkSync(packages, join(site.folder, 'node_modules/@gantry'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['--conditions=@gantry/source', entry], {
    cwd: site.folder,
    env: { ...process.env, PORT: String(port), GANTRY_URL: url },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [line] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), exited]);
  if (!String(line).startsWith('listening')) throw new Error(`The site ended: ${errors}`);
  return url;
}

/** A middleware chain as Express calls it, of which a test needs no more. */
const handler = `(request, response) => {
  request.session = { memberId: request.headers['x-member'] };
  response.setHeader('Content-Security-Policy', "default-src 'self'");
  gantryListener(request, response, () => response.end('home'));
}`;

test.each([
  ['ESM', 'server.mjs', sites.http],
  [
    'CommonJS',
    'server.cjs',
    sites.http.replace("import { createServer } from 'node:http'", "const { createServer } = require('node:http')"),
  ],
  ['TypeScript', 'server.ts', sites.http],
])(
  'a Node server in %s answers its own pages and Gantry’s after gantry init (site owner’s guide)',
  async (_, entry, text) => {
    const site = stranger({ [entry]: text, 'package.json': JSON.stringify({ scripts: { start: `node ${entry}` } }) });
    expect(await site.init('--yes')).toMatchObject({ code: 0, err: '' });
    const url = await start(site, entry);
    const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });
    expect(await (await ask('/')).text()).toBe('home');
    expect(await (await ask('/elsewhere')).text()).toBe('other');
    const page = await ask('/gadgets.html?x=1');
    expect(page.headers.get('Content-Security-Policy')).toBe(`frame-src ${url}/gantry/apps/`);
    expect(await page.text()).toContain('<gantry-gadget app="notes" heading></gantry-gadget>');
    expect((await ask('/gantry/container.js')).status).toBe(200);

    const { members } = JSON.parse(site.read('.gantry/sample-members.json'));
    expect(members).toHaveLength(2);
    const again = await site.init('--url', url, '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ checked: 'site', problems: [], changes: [] });
  },
);

test.each(['mjs', 'cjs'])('a GANTRY_URL that cannot be ends the .%s module with one sentence', (ending) => {
  const form = { isTypeScript: false, hasImports: ending === 'mjs' };
  const name = `gantry.${ending}`;
  const site = stranger({ [name]: nodeModule({ form, url: 'http://localhost', data: '.gantry', wraps: false }) });
  symlinkSync(join(packages, '../node_modules'), join(site.folder, 'node_modules'));
  const env = { ...process.env, GANTRY_URL: 'https://social.example/path' };
  const args = ['--conditions=@gantry/source', name];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: site.folder, env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^url must be an address without a path, .* Use https:\/\/social\.example, .*\n$/);
});

test('a member whom the session names is known to gadgets at once, and the site’s own policy holds (site owner’s guide)', async () => {
  const form = { isTypeScript: false, hasImports: true };
  const member = memberPlace({ key: 'memberId', path: 'a.js', line: 1 }, false);
  const site = stranger({
    'gantry.mjs': nodeModule({ form, url: 'http://localhost', data: '.gantry', member, wraps: false }),
    'server.mjs': `import { createServer } from 'node:http';
import { gantryListener } from './gantry.mjs';
createServer(${handler}).listen(process.env.PORT, () => console.log('listening'));
`,
  });
  const url = await start(site, 'server.mjs');
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${url}/account/apps`, { redirect: 'manual', headers })).status;
  expect(await ask({})).not.toBe(200);
  expect(await ask({ 'x-member': 'm-1001' })).toBe(200);
  const page = await fetch(`${url}/gadgets.html`); // each policy has to allow what a page loads
  expect(page.headers.get('Content-Security-Policy')).toBe(`default-src 'self', frame-src ${url}/gantry/apps/`);
});

test('the module in TypeScript compiles strictly (site owner’s guide)', () => {
  const folder = join(packages, `cli/.init-${process.pid}`);
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const form = { isTypeScript: true, hasImports: true };
  const shared = { form, url: 'http://localhost', data: '.gantry' };
  const places = ['memberId', 'user'].map((key) => memberPlace({ key, path: 'a.js', line: 1 }, false));
  const members = [undefined, memberPlace(undefined, true), ...places];
  for (const [index, member] of members.entries()) {
    for (const wraps of [true, false]) {
      writeFileSync(join(folder, `gantry-${index}-${wraps}.ts`), nodeModule({ ...shared, member, wraps }));
    }
  }
  const config = {
    extends: '../../../tsconfig.tests.json',
    compilerOptions: { rootDir: '../../..', tsBuildInfoFile: './.tsbuildinfo' },
    include: ['*.ts'],
    references: [{ path: join(packages, 'server') }],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(packages, '../node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-b', folder], { encoding: 'utf8' }).stdout).toBe('');
});
