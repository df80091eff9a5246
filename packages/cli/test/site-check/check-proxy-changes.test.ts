import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../server/test/free-port.ts';
import { checkProxyChanges } from '../../src/site-check/check-proxy-changes.ts';
import { type RunningSite, runSite } from '../running-site.ts';

/** A reverse proxy, with a change to the requests or responses that it passes on. */
const passing = {
  target: (path: string): string => path,
  answered: (_: ServerResponse): void => {},
  mostBytes: Number.POSITIVE_INFINITY,
};
const unchanged = { ...passing };

let site: RunningSite;
let url: string;
const proxy = createServer((incoming: IncomingMessage, outgoing) => {
  const { method, url: path = '/', headers } = incoming;
  if (Number(headers['content-length'] ?? 0) > passing.mostBytes) {
    incoming.resume().on('end', () => outgoing.writeHead(413).end());
    return;
  }
  const onward = request(
    { host: '127.0.0.1', port: site.port, method, path: passing.target(path), headers },
    (answer) => {
      for (const [name, value = ''] of Object.entries(answer.headers)) outgoing.setHeader(name, value);
      passing.answered(outgoing);
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 502));
    },
  );
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
});

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await runSite(['--url', url]);
  proxy.listen(port, 'localhost');
  await once(proxy, 'listening');
});
beforeEach(() => void Object.assign(passing, unchanged));
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await site.stop();
});

test('a proxy that alters nothing has no problems (guide for reverse proxies)', async () => {
  expect(await checkProxyChanges({ site: url })).toEqual([]);
});

test('a proxy that decodes targets is reported, since signatures cover them (RFC 5849 §3.4.1.2)', async () => {
  passing.target = decodeURIComponent;
  expect(await checkProxyChanges({ site: url })).toEqual([
    'The proxy rewrites targets: /gantry/%63ontainer.js arrived as /gantry/container.js. Signatures cover targets as sent: pass them on unchanged (nginx: proxy_pass without a path).',
  ]);
});

test('a proxy that merges slashes is reported', async () => {
  passing.target = (path) => path.replace(/\/+/g, '/');
  expect(await checkProxyChanges({ site: url, pages: false })).toEqual([
    expect.stringContaining('rewrites targets: /gantry//container.js arrived'),
  ]);
});

test('a proxy that lets caches keep a member’s page is reported (security rule 14)', async () => {
  passing.answered = (outgoing) => outgoing.setHeader('Cache-Control', 'max-age=3600');
  expect(await checkProxyChanges({ site: url })).toEqual([
    expect.stringContaining('/account/apps has Cache-Control: max-age=3600'),
  ]);
  passing.answered = (outgoing) => outgoing.setHeader('Age', '7');
  expect(await checkProxyChanges({ site: url })).toEqual([expect.stringContaining('/account/apps has Age: 7')]);
});

test('a proxy that refuses photos is reported', async () => {
  passing.mostBytes = 2 ** 20; // the default of nginx
  expect(await checkProxyChanges({ site: url })).toEqual([
    'Photos are refused before they reach Gantry: a body of 2 MiB is answered 413. Allow 32 MB for /account/photos (nginx: client_max_body_size 32m).',
  ]);
});

test('a site that has the API is not checked for problems of account pages', async () => {
  passing.mostBytes = 2 ** 20;
  passing.answered = (outgoing) => outgoing.setHeader('Age', '7');
  expect(await checkProxyChanges({ site: url, pages: false })).toEqual([]);
});

test('a site that cannot be reached has no lines here', async () => {
  expect(await checkProxyChanges({ site: `http://localhost:${await freePort()}` })).toEqual([]);
});
