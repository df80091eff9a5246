import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { addApp } from '../../src/index.ts';
import { addressProblems } from '../../src/self-test/start-check/check-isolation.ts';
import { logIsolation } from '../../src/self-test/start-check/log-isolation.ts';
import { type RunningSite, runSite } from '../running-site.ts';

const appsHost = 'https://*.social-apps.example';
let site: RunningSite;
const folder = folderForFile();
beforeAll(async () => {
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'Probe', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Probe</title>');
  site = await runSite(['--url', 'https://social.test', '--apps-host', '*.social-apps.example']);
  await addApp(site.server.stores, { id: 'probe', folder, live: true });
});
afterAll(() => site.stop());

async function logOf(port: number, signal = new AbortController().signal): Promise<unknown[]> {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const { db } = site.server.stores;
  await logIsolation({ db, url: site.server.url, appsHost, host: '0.0.0.0', port, log, signal });
  return lines.map((line) => JSON.parse(line) as unknown);
}

test('a server finds its own hosts by its port, and says once that what keeps apps apart is sent (security rule 5)', async () => {
  expect(await logOf(site.port)).toEqual([
    {
      level: 30,
      msg: 'self-test of isolation: passed with probe. To see what a reverse proxy removes: gantry check --url.',
    },
  ]);
});

test('each missing rule is a warning, and nothing is logged once the server stops (security rule 5)', async () => {
  const hosts = new Set<string | undefined>();
  const without = createServer((incoming, answer) => {
    const { host } = incoming.headers;
    hosts.add(host?.replace(/^[0-9a-f]{32}\./, 'HASH.'));
    request({ host: '127.0.0.1', port: site.port, path: incoming.url, headers: incoming.headers }, (real) => {
      const { 'content-security-policy': _, ...headers } = real.headers;
      answer.writeHead(real.statusCode ?? 500, headers);
      real.pipe(answer);
    }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => without.once('listening', resolve));
  const { port } = without.address() as AddressInfo;
  const [lines, stopped] = [await logOf(port), await logOf(port, AbortSignal.abort())];
  without.close();
  expect(hosts).toEqual(new Set(['HASH.social-apps.example', 'social.test']));
  const missing = 'self-test of isolation: Content-Security-Policy is missing or changed on the way:';
  expect(lines).toEqual([
    { level: 40, msg: `${missing} apps can send data anywhere. See gantry check.` },
    { level: 40, msg: `${missing} apps can load from anywhere. See gantry check.` },
  ]);
  expect(stopped).toEqual([]);
});

test.each([
  ['https://social.example', 'https://x.apps.social.example', 'social.example'],
  ['https://www.social.example', 'https://x.apps.social.example', 'social.example'],
  ['https://social.example', 'https://x.social-apps.example', undefined],
  ['https://social.co.uk', 'https://social-apps.co.uk', undefined],
  ['http://localhost:4400', 'http://x.apps.localhost:4400', undefined],
  ['http://127.0.0.1:4400', 'http://127.0.0.2:4400', undefined],
  ['https://social.example', 'https://social.example', undefined],
])('%s and %s share the cookie domain %s (security rule 4)', (pages, apps, shared) => {
  const problems = addressProblems(new URL(pages), new URL(apps));
  expect(problems.map((line) => / share (\S+):/.exec(line)?.[1])).toEqual(shared === undefined ? [] : [shared]);
});

test.each([
  ['https://social.example', false],
  ['http://localhost:4400', false],
  ['http://x.apps.localhost:4400', false],
  ['http://127.0.0.1:4400', false],
  ['http://social.example', true],
  ['http://localhost.example', true],
  ['http://10.0.0.7:4400', true],
])(
  'apps at %s can be opened as pages, since browsers do not say what a document is for: %s (security rule 27)',
  (address, isOpen) => {
    const url = new URL(address);
    expect(addressProblems(url, url).some((line) => line.includes('plain http'))).toBe(isOpen);
  },
);
