import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { checkIsolation } from '@gantry/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
const folder = folderForFile();
beforeAll(async () => {
  site = await runSite();
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'Probe', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Probe</title>');
  await site.gantry('app', 'add', folder, '--id', 'probe');
});
afterAll(() => site.stop());

test('a site whose headers arrive has no problems (security rule 5)', async () => {
  expect(await site.gantry('check', '--url', site.server.url)).toMatchObject({ code: 0, err: '' });
});

test('each header that a reverse proxy strips or adds is one line (security rule 5)', async () => {
  const stripping = createServer((incoming, answer) => {
    const { host } = new URL(site.server.url);
    request(`${site.server.url}${incoming.url}`, { headers: { host } }, (real) => {
      const { 'connection-allowlist': _, 'access-control-allow-origin': __, ...headers } = real.headers;
      answer.writeHead(real.statusCode ?? 500, { ...headers, 'set-cookie': ['balancer=1'] });
      real.pipe(answer);
    }).end();
  }).listen(0, 'localhost');
  await new Promise((resolve) => stripping.once('listening', resolve));
  const address = `http://localhost:${(stripping.address() as AddressInfo).port}`;
  const problems = await checkIsolation({ site: address, document: `${address}/gantry/apps/probe/index.html` });
  stripping.close();
  expect(problems).toEqual([
    'Connection-Allowlist is missing or changed on the way: apps can navigate elsewhere with data.',
    'A cookie is set with an app’s document; none may be.',
    'Access-Control-Allow-Origin of /gantry/osapi.js is missing: apps cannot load it as a module.',
    'Sec-Fetch-Dest does not reach Gantry: pages of apps can be opened directly, under an address of the site.',
  ]);
});
