import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRecord, personaHeader } from '@gantry/lab';
import { expect, test } from '@playwright/test';
import { createLabs, type Labs } from '../../packages/dev/src/labs.ts';
import { labHeader } from '../../packages/dev/src/protocol.ts';

const folder = join(import.meta.dirname, '../../packages/lab/test/zettel');
const record = createRecord();
let labs: Labs;
let servers: Server[];

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

let url: string;
let evil: string;
test.beforeAll(async () => {
  const site = createServer(async (incoming, outgoing) => {
    const { pathname: path, searchParams: search } = new URL(incoming.url ?? '/', url);
    const exchange = { incoming, outgoing, method: incoming.method ?? 'GET', path, search };
    if (!(await labs.route(exchange))) labs.pass(incoming, outgoing);
  });
  const other = createServer((_, outgoing) => void outgoing.setHeader('content-type', 'text/html').end('<p>Another'));
  servers = [site, other];
  [url, evil] = await Promise.all([listen(site), listen(other)]);
  labs = createLabs({ url, apps: () => [{ id: 'zettel', folder }], record });
});
test.afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await labs.close();
});

/** Sends a request as a container does, inside a page, and returns its outcome. */
async function ask({ path, body, headers }: { path: string; body: unknown; headers: Record<string, string> }) {
  try {
    const all = { 'content-type': 'application/json', 'gantry-container': '1', ...headers };
    const response = await fetch(path, { method: 'POST', headers: all, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { lost: (error as Error).name };
  }
}

test('a page of the lab’s origin names its persona; a page of another origin cannot, whatever it sends (security rule 10)', async ({
  page,
}) => {
  const { lab } = await labs.make({ scenario: {} });
  const headers = { [labHeader]: lab, [personaHeader]: 'm-1' };
  const asking = { path: `${url}/gantry/instances`, body: [{ app: 'zettel' }], headers };
  await page.goto(`${url}/gantry/manifest.schema.json`);
  expect(await page.evaluate(ask, asking)).toMatchObject({
    status: 200,
    text: expect.stringContaining('"viewer":"m-1"'),
  });
  await page.goto(evil);
  expect(await page.evaluate(ask, asking)).toEqual({ lost: 'TypeError' });
  const simple = page.evaluate((at) => fetch(at, { method: 'POST', mode: 'no-cors', body: '[]' }), asking.path);
  await expect(simple).rejects.toThrow('Failed to fetch');
  expect(record.entries.filter(({ kind }) => kind === 'refusal')).toMatchObject([
    { error: { code: 405 } }, // the preflight
    { error: { code: 403 } },
  ]);
});

test('a page sees a dropped reply as a lost network, and what it did is done', async ({ page }) => {
  const { lab } = await labs.make({ scenario: {} });
  const headers = { [labHeader]: lab, [personaHeader]: 'm-1' };
  await page.goto(`${url}/gantry/manifest.schema.json`);
  const { text = '' } = await page.evaluate(ask, { path: '/gantry/instances', body: [{ app: 'zettel' }], headers });
  const [{ ok }] = JSON.parse(text);
  const call = (operation: string, params: object) => {
    const calls = [{ id: 'c', instance: ok.instance, operation, params }];
    return page.evaluate(ask, { path: '/gantry/calls', body: { tokens: { [ok.instance]: ok.token }, calls }, headers });
  };
  const fault = { once: { operation: 'activities.create', dropReply: true } };
  await page.evaluate(ask, { path: `/dev/labs/${lab}/faults`, body: fault, headers: {} });
  expect(await call('activities.create', { activity: { title: 'done' } })).toEqual({ lost: 'TypeError' });
  expect(await call('activities.get', { userId: '@viewer', groupId: '@self' })).toMatchObject({
    text: expect.stringContaining('"title":"done"'),
  });
  const kill = { once: { operation: 'people.get', kill: true } };
  await page.evaluate(ask, { path: `/dev/labs/${lab}/faults`, body: kill, headers: {} });
  expect(await call('people.get', {})).toEqual({ lost: 'TypeError' });
  expect(await call('people.get', {})).toMatchObject({ text: expect.stringContaining('"ok"') });
});
