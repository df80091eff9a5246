import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkIsolation } from '../../../server/src/self-test/start-check/check-isolation.ts';
import { freePort } from '../../../server/test/free-port.ts';
import { viewerKey, viewerToken } from '../../../server/test/viewer-token.ts';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { checkPageCalls } from '../../src/site-check/check-page-calls.ts';
import { type RunningSite, runSite } from '../running-site.ts';

/**
 * A reverse proxy before the site, with a change to the requests or responses that it passes on.
 */
const passing = {
  request: (headers: IncomingHttpHeaders): OutgoingHttpHeaders => headers,
  answer: (headers: IncomingHttpHeaders): OutgoingHttpHeaders => headers,
  collects: false,
};
const unchanged = { ...passing };

let site: RunningSite;
let url: string;
let cookie: string;
const folder = folderForFile();
const proxy = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const onward = request(
    { host: '127.0.0.1', port: site.port, method, path, headers: passing.request(headers) },
    (answer) => {
      const { statusCode = 502, headers: sent } = answer;
      const send = (body?: string) => outgoing.writeHead(statusCode, passing.answer(sent)).end(body);
      if (passing.collects) text(answer).then(send, () => outgoing.destroy());
      else answer.pipe(outgoing.writeHead(statusCode, passing.answer(sent)));
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
});

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await runSite(['--url', url], { GANTRY_VIEWER_KEY: viewerKey });
  proxy.listen(port, 'localhost');
  await once(proxy, 'listening');
  cookie = `gantry_viewer=${viewerToken('1', url)}`;
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'Probe', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Probe</title>');
  await site.gantry('app', 'add', folder, '--id', 'probe');
});
beforeEach(() => void Object.assign(passing, unchanged));
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await site.stop();
});

test('a reverse proxy that changes nothing has no problems (site owner’s guide)', async () => {
  expect(
    await checkPageCalls({ site: url, app: 'probe', document: `${url}/gantry/apps/probe/index.html`, cookie }),
  ).toEqual([]);
  expect(await site.gantry('check', '--url', url)).toEqual({
    code: 0,
    out: `No problem found at ${url}, checked with probe.\nNot checked: events. Set GANTRY_CHECK_COOKIE to the cookie of a signed-in member for that.`,
    err: '',
  });
});

test('a proxy that buffers event streams is reported (ADR 20)', async () => {
  passing.answer = ({ 'transfer-encoding': _, ...headers }) => headers;
  passing.collects = true;
  expect(
    await checkPageCalls({
      site: url,
      app: 'probe',
      document: `${url}/gantry/apps/probe/index.html`,
      patienceMs: 1_000,
      cookie,
    }),
  ).toEqual([
    'No event arrives within 1 s: a proxy buffers the stream. Turn off buffering and compression for /gantry/events.',
  ]);
});

test('a cookie of no signed-in member is reported', async () => {
  expect(
    await checkPageCalls({
      site: url,
      app: 'probe',
      document: `${url}/gantry/apps/probe/index.html`,
      cookie: 'gantry_viewer=old',
    }),
  ).toEqual(['GANTRY_CHECK_COOKIE names no signed-in member: copy it again from a browser.']);
});

test.each(['127.0.0.1', 'backend:8080'])(
  'a proxy that sends the Host %s is reported (security rule 10)',
  async (name) => {
    passing.request = (headers) => ({ ...headers, host: name });
    const line = `${url} is asked under another name than browsers use: pass the Host header on unchanged (nginx: proxy_set_header Host $http_host).`;
    expect(await checkPageCalls({ site: url, app: 'probe', document: `${url}/gantry/apps/probe/index.html` })).toEqual([
      line,
    ]);
    expect(await checkIsolation({ site: url, document: `${url}/gantry/apps/probe/index.html` })).toEqual([line]);
  },
);

test('a site whose GANTRY_URL has another port gets one line, and none about a proxy', async () => {
  const checked = `http://localhost:${site.port}`;
  const document = `${checked}/gantry/apps/probe/index.html`;
  const line = `The site was started for ${url}, and ${checked} is checked: start it with GANTRY_URL=${checked} (--url), or check ${url}.`;
  expect(await checkPageCalls({ site: checked, app: 'probe', document })).toEqual([line]);
  expect(await checkIsolation({ site: checked, document })).toEqual([line]);
});

test('a home page whose policy lets no gadget start is reported (site owner’s guide)', async () => {
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader('Content-Security-Policy', "default-src 'none'");
    outgoing.end(incoming.method === 'POST' ? '[]' : '<script src="/gantry/container.js"></script>');
  }).listen(0, 'localhost');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const checked = `http://localhost:${(server.address() as AddressInfo).port}`;
  expect(await checkPageCalls({ site: checked, app: 'probe', document: `${checked}/gantry/apps/probe/` })).toEqual([
    expect.stringMatching(/^The policy of \S+\/ lets no gadget start/),
  ]);
});

test('a proxy that removes the Origin header is reported (security rule 10)', async () => {
  passing.request = ({ origin: _, ...headers }) => headers;
  expect(await checkPageCalls({ site: url, app: 'probe', document: `${url}/gantry/apps/probe/index.html` })).toEqual([
    `Calls of pages are answered 403: Only pages of ${url} may call this address.`,
  ]);
});

test('cookies that other sites’ pages could use are named; others are not (security rule 10)', async () => {
  const set = [
    'route=1',
    'theme=dark; SameSite=None; Secure',
    'session=2; Path=/; HttpOnly; SameSite=Lax',
    'a=1; samesite=STRICT',
  ];
  passing.answer = (headers) => ({ ...headers, 'set-cookie': set });
  expect(await checkPageCalls({ site: url, app: 'probe', document: `${url}/gantry/apps/probe/index.html` })).toEqual(
    ['route', 'theme'].map(
      (name) =>
        `The cookie ${name} is set without SameSite=Lax or Strict: browsers send it with requests of other sites' pages.`,
    ),
  );
});

test('a site that is not there is one clear line', async () => {
  const nowhere = `http://localhost:${await freePort()}`;
  expect(
    await checkPageCalls({ site: nowhere, app: 'probe', document: `${nowhere}/gantry/apps/probe/index.html` }),
  ).toEqual([`${nowhere} cannot be reached (ECONNREFUSED).`]);
});
