import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gantryPaths } from '@gantry/wire';
import pino from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../src/edge/client-address.ts';
import {
  addApp,
  createGantry,
  type Gantry,
  type NodeListenerOptions,
  toNodeListener,
  UsageError,
} from '../src/index.ts';
import { openPage } from './gadget-page.ts';

const url = 'http://social.example';
let gantry: Gantry;
let logged: string[];
/** Requests of Node's and clients that `viewer` saw. */
let requests: { readonly incoming: IncomingMessage | undefined; readonly client: Client | undefined }[];

beforeEach(async () => {
  const data = await mkdtemp(join(tmpdir(), 'gantry-listener-'));
  logged = [];
  requests = [];
  gantry = await createGantry({
    data,
    url,
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(line) }),
    viewer: (request, incoming) => {
      requests.push({ incoming, client: gantry.telemetry.contexts.getStore()?.client });
      return request.headers.get('member') ?? undefined;
    },
    site: async () => new Response('the site option'),
  });
  onTestFinished(async () => {
    await gantry.close();
    await rm(data, { recursive: true });
  });
  await gantry.saveRecords([{ kind: 'member', id: 'm-1', displayName: 'Ada' }]);
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => stop(server));
  return (server.address() as AddressInfo).port;
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** Sends one request with the site's `Host` and resolves with the whole text that came back. */
async function send(port: number, head: string, { host = 'social.example', body = '' } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\nContent-Type: application/json\r\n`;
  const [line, ...headers] = head.split('\r\n');
  const more = headers.map((header) => `${header}\r\n`).join('');
  socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\n${more}${length}Connection: close\r\n\r\n${body}`);
  return (await buffer(socket)).toString();
}

const calls = 'POST /gantry/calls\r\nOrigin: http://social.example\r\nGantry-Container: 1\r\nmember: m-1';
const noCalls = JSON.stringify({ tokens: {}, calls: [] });

test('leaves what is not Gantry’s to next, and takes every path that it names (contract §4)', async () => {
  const listener = toNodeListener(gantry);
  const port = await serve((incoming, outgoing) => listener(incoming, outgoing, () => outgoing.end('next')));
  expect(gantry.paths).toEqual(gantryPaths);
  for (const path of gantry.paths.flatMap((root) => [root, `${root}/x`, `${root}?a=b`])) {
    expect([path, await send(port, `GET ${path}`)]).not.toEqual([path, expect.stringMatching(/next$/)]);
  }
  for (const path of ['/', '/accounts', '/gantryx', '/x/../gantry/calls', '/%67antry/calls', '//gantry/calls', '*']) {
    expect([path, await send(port, `GET ${path}`)]).toEqual([path, expect.stringMatching(/next$/)]);
  }
});

test('without next the option site answers the rest', async () => {
  const port = await serve(toNodeListener(gantry));
  expect(await send(port, 'GET /about')).toMatch(/the site option$/);
  expect(await send(port, 'GET /healthz')).toMatch(/^HTTP\/1.1 200/);
});

test('a host of apps is Gantry’s as a whole: no page of the site is served there', async () => {
  const apart = await createGantry({
    ...{ data: await mkdtemp(join(tmpdir(), 'gantry-listener-')), url, appsHost: 'http://*.apps.example' },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => apart.close());
  const listener = toNodeListener(apart);
  const port = await serve((incoming, outgoing) => listener(incoming, outgoing, () => outgoing.end('next')));
  expect(await send(port, 'GET /', { host: 'a1.apps.example' })).toMatch(/^HTTP\/1.1 404/);
  expect(await send(port, 'GET /', { host: 'social.example' })).toMatch(/next$/);
});

test('the target counts as the client sent it, whatever a router made of it (security rule 16)', async () => {
  const listener = toNodeListener(gantry);
  const mounted = await serve((incoming, outgoing) => {
    Object.assign(incoming, { originalUrl: incoming.url, url: incoming.url?.replace(/^\/gantry/, '') });
    listener(incoming, outgoing, () => outgoing.end('next'));
  });
  expect(await send(mounted, calls, { body: noCalls })).toMatch(/^HTTP\/1.1 200/);
  expect(await send(mounted, 'GET /about')).toMatch(/next$/);
});

test('viewer gets what the site’s own middleware has put on the request', async () => {
  const listener = toNodeListener(gantry);
  const port = await serve((incoming, outgoing) => {
    listener(Object.assign(incoming, { session: { member: 'm-1' } }), outgoing);
  });
  await send(port, calls, { body: noCalls });
  expect(requests).toMatchObject([{ incoming: { session: { member: 'm-1' } } }]);
});

test('an id that is a number is a fault with a line in the log, not a stranger', async () => {
  const numbers = await createGantry({
    ...{ data: await mkdtemp(join(tmpdir(), 'gantry-listener-')), url },
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(line) }),
    viewer: () => JSON.parse('7'),
  });
  onTestFinished(() => numbers.close());
  expect(await send(await serve(toNodeListener(numbers)), 'GET /account')).toMatch(/^HTTP\/1.1 500/);
  expect(logged.join()).toContain('viewer must return the member');
});

test('a body that a parser has read is refused with a line that says which order is right, and never waited for', async () => {
  const listener = toNodeListener(gantry);
  const port = await serve(async (incoming, outgoing) => {
    Object.assign(incoming, { body: JSON.parse(String(await buffer(incoming))) });
    listener(incoming, outgoing);
  });
  expect(await send(port, calls, { body: noCalls })).toMatch(/^HTTP\/1.1 500[\s\S]*see its log/);
  expect(logged.join()).toContain('use toNodeListener before body parsers such as express.json()');
});

test.each(['rawBody', 'body'])('the bytes that a parser kept as %s are the body, within its bounds', async (name) => {
  const listener = toNodeListener(gantry);
  const port = await serve(async (incoming, outgoing) => {
    listener(Object.assign(incoming, { [name]: await buffer(incoming) }), outgoing);
  });
  expect(await send(port, calls, { body: noCalls })).toMatch(/^HTTP\/1.1 200/);
  expect(await send(port, calls, { body: `"${'x'.repeat(1024 * 1024)}"` })).toMatch(/^HTTP\/1.1 413/);
  expect(logged).toEqual([]);
});

test('headers for the site’s own pages stay away from answers of Gantry (security rule 5)', async () => {
  const listener = toNodeListener(gantry);
  const port = await serve((incoming, outgoing) => {
    for (const name of ['X-Frame-Options', 'Cross-Origin-Resource-Policy', 'Access-Control-Allow-Credentials']) {
      outgoing.setHeader(name, 'of-the-site');
    }
    outgoing.setHeader('Set-Cookie', 'of-the-site=1').setHeader('Strict-Transport-Security', 'max-age=60');
    listener(incoming, outgoing);
  });
  const head = await send(port, 'GET /gantry/osapi.js');
  expect(head).toMatch(/^Strict-Transport-Security: max-age=60\r$/m);
  expect(head.slice(0, head.indexOf('\r\n\r\n'))).not.toContain('of-the-site');
});

// The middleware of a site that keeps its sessions alive. It has no types of its own.
const sessionOf: (options: object) => (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void =
  createRequire(import.meta.url)('express-session');
const rolling = { secret: 'of-the-site', resave: false, saveUninitialized: true, rolling: true, name: 'site' };

/** A site whose every answer has a new cookie, set when its head is written. */
async function serveWithSessions(gantry: Gantry): Promise<number> {
  const listener = toNodeListener(gantry);
  const session = sessionOf(rolling);
  return serve((incoming, outgoing) =>
    session(incoming, outgoing, () => listener(incoming, outgoing, () => outgoing.end('next'))),
  );
}

test('a rolling session sets no cookie with a file that is the same for everybody (security rule 5)', async () => {
  const folder = join(import.meta.dirname, '../../cli/starters/notes');
  await addApp(gantry.stores, { id: 'notes', folder, live: true, trusted: true });
  const port = await serveWithSessions(gantry);
  const chunks = await readdir(join(import.meta.dirname, '../../container/dist/chunks'));
  const chunk = chunks.find((name) => name.endsWith('.js'));
  const files = ['apps/notes/index.html', 'osapi.js', 'container.js', `chunks/${chunk}`, 'manifest.schema.json'];
  for (const path of [...files, 'apps/notes/missing.html', 'media/unknown', 'self-test', 'nothing']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(port, `${method} /gantry/${path}`);
      expect([path, answer.slice(0, 12)]).toEqual([path, files.includes(path) ? 'HTTP/1.1 200' : expect.any(String)]);
      expect([path, answer]).not.toEqual([path, expect.stringMatching(/^set-cookie:/im)]);
    }
  }
  expect(await send(port, `GET /gantry/chunks/${chunk}`)).toMatch(/^cache-control: public, .*immutable\r$/im);
  // Controls: the middleware does set it, and members who use gadgets stay signed in to the site.
  for (const head of ['GET /', 'GET /account', calls]) {
    expect([head, await send(port, head, { body: head === calls ? noCalls : '' })]).toEqual([
      head,
      expect.stringMatching(/^set-cookie: site=/im),
    ]);
  }
});

test('a host of apps sets no cookie of the site, whatever is asked of it (security rule 5)', async () => {
  const apart = await createGantry({
    ...{ data: await mkdtemp(join(tmpdir(), 'gantry-listener-')), url, appsHost: 'http://*.apps.example' },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => apart.close());
  const port = await serveWithSessions(apart);
  for (const head of ['GET /', 'POST /gantry/calls', 'GET /account', 'GET /gantry/apps/x/index.html']) {
    expect(await send(port, head, { host: 'a1.apps.example' })).not.toMatch(/^set-cookie:/im);
  }
  expect(await send(port, 'GET /account')).toMatch(/^set-cookie: site=/im); // control
});

test('a request that has an answer, or whose client has gone, is left alone', async () => {
  const listener = toNodeListener(gantry);
  const answered = await serve((incoming, outgoing) => {
    outgoing.end('before');
    listener(incoming, outgoing);
  });
  expect(await send(answered, 'GET /gantry/osapi.js')).toMatch(/before$/);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: handed, resolve } = Promise.withResolvers<void>();
  const late = await serve((incoming, outgoing) => {
    incoming
      .on('error', () => {})
      .once('close', () => {
        listener(incoming, outgoing);
        resolve();
      });
    arrive();
  });
  const socket = connect(late, '127.0.0.1').on('error', () => {});
  socket.write('POST /gantry/calls HTTP/1.1\r\nHost: social.example\r\nContent-Length: 9\r\n\r\n{');
  await arrived;
  socket.destroy();
  await handed;
  expect(await send(answered, 'GET /healthz')).toMatch(/before$/);
});

const clients: readonly (readonly [string, NodeListenerOptions, object, string, Partial<Client>])[] = [
  ['the peer', {}, {}, '', { address: '127.0.0.1', isForwarded: false }],
  ['the peer, where nobody is trusted', {}, {}, '203.0.113.9', { address: '127.0.0.1', isForwarded: false }],
  ['named by Express', {}, { ip: '::ffff:203.0.113.9' }, '', { address: '203.0.113.9', isForwarded: true }],
  [
    'named by a trusted proxy',
    { trustProxy: '127.0.0.0/8' },
    {},
    '198.51.100.1, 203.0.113.9',
    { address: '203.0.113.9' },
  ],
];
test.each(clients)(
  'sign-ins are counted by the address of the client: %s (contract §5)',
  async (_, options, more, forwarded, client) => {
    const listener = toNodeListener(gantry, options);
    const port = await serve((incoming, outgoing) => listener(Object.assign(incoming, more), outgoing));
    await send(port, `GET /account\r\nX-Forwarded-For: ${forwarded}`);
    expect(requests[0]?.client).toMatchObject(client);
  },
);

test('a list of proxies that is none is refused at the start', () => {
  expect(() => toNodeListener(gantry, { trustProxy: 'yes' })).toThrow(UsageError);
});

test('closing ends the streams of events, lets accepted requests finish, and refuses new ones (security rule 21)', async () => {
  const folder = join(import.meta.dirname, '../../cli/starters/notes');
  await addApp(gantry.stores, { id: 'notes', folder, live: true, trusted: true });
  const port = await serve(toNodeListener(gantry));
  const { instance, token, since } = await openPage(gantry, { url, member: 'm-1' }).mount('notes');
  const events = send(port, calls.replace('calls', 'events'), {
    body: JSON.stringify({ tokens: { [instance]: token }, since: [since] }),
  });
  const body = JSON.stringify({ tokens: {}, calls: [] });
  const slow = connect(port, '127.0.0.1');
  slow.write(`${calls.replace('\r\n', ' HTTP/1.1\r\nHost: social.example\r\n')}\r\nContent-Type: application/json\r\n`);
  slow.write(`Content-Length: ${body.length}\r\nConnection: close\r\n\r\n{`);
  const answer = buffer(slow);
  await expect.poll(() => gantry.telemetry.metrics.text()).toMatch(/^gantry_event_streams\S* 1$/m);
  const closing = gantry.close();
  expect(await events).toContain('event: end');
  expect(await send(port, 'GET /gantry/osapi.js')).toMatch(/^HTTP\/1.1 503[\s\S]*Retry-After: 1/);
  slow.write(body.slice(1));
  expect(String(await answer)).toMatch(/^HTTP\/1.1 200/);
  await closing;
  await gantry.close();
});
