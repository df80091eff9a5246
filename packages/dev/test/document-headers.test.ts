import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addApp, createGantry, toNodeListener } from '@gantry/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainApp, typescriptApp, writeApps } from '../../../e2e/dev/sample-apps.ts';
import { type DevServer, startDevServer } from '../src/index.ts';
import { type Asked, ask } from './ask.ts';

let dev: DevServer;
let run: string;
let site: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const { folders, remove } = await writeApps({ plain: plainApp, built: typescriptApp });
  dev = await startDevServer({ folders: Object.values(folders), port: 0 });
  await fetch(`${dev.url}/dev/labs`, { method: 'POST', body: JSON.stringify({ scenario: {} }) });
  run = JSON.parse((await ask(dev.url, '/dev/hot')).text).run;

  const data = await mkdtemp(join(tmpdir(), 'gantry-dev-site-'));
  const server = createServer((incoming, outgoing) => listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gantry = await createGantry({ data, url: site, database: ':memory:', viewer: () => undefined });
  const listener = toNodeListener(gantry);
  for (const [id, folder] of Object.entries(folders)) {
    await addApp(gantry.stores, { id, folder, live: true, trusted: true });
  }
  close = async () => {
    await dev.close();
    server.closeAllConnections();
    server.close();
    await gantry.close();
    await Promise.all([remove(), rm(data, { recursive: true, force: true })]);
  };
});
afterAll(() => close());

/** Leaves out headers of the content and the moment, and the site's own address. */
function comparable({ status, lines }: Asked, origin: string): unknown {
  const moment = new Set(['etag', 'content-length', 'date', 'x-request-id']);
  const { host } = new URL(origin);
  return [
    status,
    ...lines
      .filter(([name]) => !moment.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value.replaceAll(host, 'HOST')}`)
      .sort(),
  ];
}

test.each([
  ['a page', 'plain', 'index.html', 'index.html'],
  ['a script', 'plain', 'app.js', 'app.js'],
  ['a style', 'plain', 'style.css', 'style.css'],
  ['a picture', 'plain', 'picture.svg', 'picture.svg'],
  ['a missing file', 'plain', 'missing.js', 'missing.js'],
  ['a hidden file', 'plain', '.env', '.env'],
  ['a page that Vite builds', 'built', 'index.html', 'index.html'],
  ['a picture of a folder that Vite builds', 'built', 'src/logo.svg', 'src/logo.svg'],
  ['a style that Vite builds', 'built', 'src/style.css?direct', 'src/style.css'],
  ['a file that Vite does not find', 'built', 'src/missing.ts', 'src/missing.js'],
])('sends the headers of a site, byte for byte, with %s (security rule 5)', async (_what, app, path, onSite) => {
  const inDev = await ask(dev.url, `/gantry/apps/${app}/${run}/${path}`, { headers: { Accept: 'text/css,*/*' } });
  const there = await ask(site, `/gantry/apps/${app}/${onSite}`);

  expect(comparable(inDev, dev.url)).toEqual(comparable(there, site));
});

test('sends the headers of a script with a module that Vite builds, and none of its own (security rule 5)', async () => {
  const module = await ask(dev.url, `/gantry/apps/built/${run}/src/main.ts`);
  const script = await ask(site, '/gantry/apps/plain/app.js');

  expect(module.text).toContain('import.meta.hot');
  expect(comparable(module, dev.url)).toEqual(comparable(script, site));
});

test('knows a difference of one header when it sees one', async () => {
  const page = await ask(dev.url, '/');
  const script = await ask(site, '/gantry/apps/plain/app.js');

  expect(comparable(page, dev.url)).not.toEqual(comparable(script, site));
});
