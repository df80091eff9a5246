import { type GadgetProxy, responseOf } from '@gantry/proxy';
import { describe, expect, test } from 'vitest';
import { openSite, siteUrl } from '../site.ts';

const site = await openSite({ appsHost: 'http://*.apps.example' });
const body = [{ app: 'friends' }];
const usual = { 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: siteUrl };

/** Hands a call over as a server does that makes no `Request` of it. */
const direct: GadgetProxy['handle'] = async (request) => {
  const { pathname: rawTarget, host } = new URL(request.url);
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { method, headers } = request;
  const answered = site.proxy.direct({
    method,
    rawTarget,
    host,
    header: (name) => headers.get(name) ?? undefined,
    body: bytes,
    head: () => new Request(request.url, { method, headers }),
  });
  if (!answered) throw new Error(`${rawTarget} is no call of a page.`);
  return responseOf(await answered, request);
};

describe.each([
  ['as a Request', site.proxy.handle],
  ['directly', direct],
])('%s,', (_, handle) => {
  function post(path: string, body: unknown, change: Record<string, string | undefined> = {}): Promise<Response> {
    const headers = new Headers(usual);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    return handle(new Request(new URL(path, siteUrl), { method: 'POST', headers, body: text }));
  }

  test.each([
    ['with its Origin', {}, 200],
    ['with Sec-Fetch-Site and no Origin', { origin: undefined, 'sec-fetch-site': 'same-origin' }, 200],
    ['with both', { 'sec-fetch-site': 'same-origin' }, 200],
    ['in JSON with a charset', { 'content-type': 'application/json; charset=utf-8' }, 200],
    ['from an opaque frame', { origin: 'null' }, 403],
    ['from an opaque frame that claims more', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 403],
    ["from an app's host", { origin: 'http://abc.apps.example' }, 403],
    ['from another site', { origin: 'http://evil.example' }, 403],
    ['from another port', { origin: `${siteUrl}:8080` }, 403],
    ['from another scheme', { origin: 'https://site.example' }, 403],
    ["from a host that begins like the site's", { origin: 'http://site.example.evil.example' }, 403],
    ['from the same site only', { origin: undefined, 'sec-fetch-site': 'same-site' }, 403],
    ['typed into the address bar', { origin: undefined, 'sec-fetch-site': 'none' }, 403],
    ['without any origin', { origin: undefined }, 403],
    ['without the header', { 'gantry-container': undefined }, 403],
    ['with another header value', { 'gantry-container': '2' }, 403],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['as plain text', { 'content-type': 'text/plain' }, 415],
    ['as something like JSON', { 'content-type': 'application/jsonp' }, 415],
    ['without a type', { 'content-type': undefined }, 415],
  ])('a call %s (security rule 10)', async (_, change, status) => {
    for (const [path, sent] of [
      ['/gantry/instances', body],
      ['/gantry/calls', { tokens: {}, calls: [] }],
      ['/gantry/events', undefined], // what is let through is refused for its body
      ['/gantry/grants', undefined],
    ] as const) {
      const response = await post(path, sent, change);
      expect(response.status).toBe(status === 200 && sent === undefined ? 400 : status);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('%s is no way to call (security rule 10)', async (method) => {
    const response = await handle(new Request(`${siteUrl}/gantry/calls`, { method, headers: usual }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test("calls are answered on the site's host only (security rule 10)", async () => {
    for (const host of ['http://abc.apps.example', 'http://127.0.0.1', 'http://site.example:81']) {
      expect((await post(`${host}/gantry/instances`, body)).status).toBe(421);
    }
  });

  const unread = 'The body must be JSON in UTF-8, with at most 64 levels and 50000 values.';
  test.each([
    ['no JSON', '{', 400, unread],
    ['nothing', '', 400, unread],
    ['more than 50,000 values', `[${'{},'.repeat(30_000)}0]`, 400, unread],
    ['JSON of any depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, unread],
    ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 413, 'The body is larger than 1 MiB.'],
    ['an object', '{}', 400, 'The body: it must be a list'],
    ['no instance', '[]', 400, 'The body: it must be a list of at least 1'],
    ['101 instances', JSON.stringify(Array(101).fill(body[0])), 400, 'The body: it must be a list of at most 100'],
    ['an app that is no text', '[{"app":1}]', 400, 'The body: [0].app must be text'],
    ['no app', '[{}]', 400, 'The body: [0].app must be an object with app'],
  ])('a body of %s is refused in words', async (_, text, status, message) => {
    const response = await post('/gantry/instances', text);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: status, message } });
  });

  test('invalid UTF-8 is refused', async () => {
    const bytes = new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]);
    const response = await handle(
      new Request(`${siteUrl}/gantry/instances`, { method: 'POST', headers: usual, body: bytes }),
    );
    expect(response.status).toBe(400);
  });
});

test('only calls of pages go without a Request', () => {
  const page = {
    method: 'POST',
    host: 'site.example',
    header: () => undefined,
    body: undefined,
    head: () => new Request(siteUrl),
  };
  for (const rawTarget of [
    '/gantry/osapi.js',
    '/gantry/calls/',
    '/gantry/calls?',
    '/gantry/apps/friends/index.html',
    '/',
  ]) {
    expect(site.proxy.direct({ ...page, rawTarget })).toBeUndefined();
  }
});
