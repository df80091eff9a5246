import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/edge/limits.ts';
import { listen, type NodeServer } from '../../src/http/node-server.ts';
import { sendRaw } from './send-raw.ts';

let server: NodeServer;
let seen: { method: string; rawTarget: string; url: string; body: string }[];
let answer: () => Promise<Response>;

beforeEach(async () => {
  seen = [];
  answer = async () => new Response('fine');
  server = await listen({
    port: 0,
    host: '127.0.0.1',
    fetch: async (request, rawTarget) => {
      seen.push({ method: request.method, rawTarget, url: request.url, body: await request.text() });
      return answer();
    },
  });
});
afterEach(() => server.close());

const raw = (bytes: string) => sendRaw(server.port, bytes);

function get(target: string, headers = 'Host: h\r\n'): Promise<string> {
  return raw(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
}

test('a body that is too large is refused before a client that waits sends it', async () => {
  const head = 'POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\n';
  expect(await raw(`${head}Content-Length: 2000000\r\n\r\n`)).toMatch(/^HTTP\/1.1 413/);
  expect(await raw(`${head}Content-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200/);
});

test('headers that are too large are 431, nonsense is 400', async () => {
  expect(await get('/a', `Host: h\r\nX: ${'x'.repeat(20_000)}\r\n`)).toMatch(/^HTTP\/1.1 431/);
  expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
});

test('two lengths of one body are refused: no request is smuggled behind another', async () => {
  const smuggled = 'GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n';
  const bytes = `POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`;
  expect(await raw(bytes)).toMatch(/^HTTP\/1.1 400/);
  expect(seen).toEqual([]);
});

describe('a refusal before the API sees the request (contract §4)', () => {
  const rest = '/social/rest/people/@me/@self';
  const post = (target: string, more: string) => raw(`POST ${target} HTTP/1.1\r\nHost: h\r\n${more}`);
  const refusals: readonly (readonly [string, number, (query: string) => Promise<string>])[] = [
    ['a target that would be rewritten', 400, (query) => get(`/social/rest/people/../x${query}`)],
    ['two Host headers', 400, (query) => get(rest + query, 'Host: h\r\nHost: evil\r\n')],
    ['an announced body that is too large', 413, (query) => post(rest + query, 'Content-Length: 1048577\r\n\r\n')],
    ['an expectation', 400, (query) => get(rest + query, 'Host: h\r\nExpect: the-best\r\n')],
    ['too many headers', 431, (query) => get(rest + query, `Host: h\r\n${'X: 1\r\n'.repeat(100)}`)],
    ['headers that are too large', 431, (query) => get(rest + query, `Host: h\r\nX: ${'x'.repeat(20_000)}\r\n`)],
    ['a header that is none', 400, (query) => get(rest + query, 'Host: h\r\nX y\r\n')],
    ['two lengths', 400, (query) => post(rest + query, 'Content-Length: 1\r\nContent-Length: 2\r\n\r\n')],
  ];

  test.each(refusals)('%s: %i is in XML for XML and Atom requests', async (_, status, ask) => {
    for (const query of ['?format=xml', '?count=x&format=ATOM']) {
      const text = await ask(query);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
      expect(text).toContain('Content-Type: application/xml; charset=utf-8\r\n');
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toMatch(
        new RegExp(`^<\\?xml [^>]+>\n<response><error><code>${status}</code><message>.+</message></error></response>$`),
      );
    }
    for (const query of ['', '?format=json', '?format=xml&format=xml', '?format=csv']) {
      const text = await ask(query);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error.code).toBe(status);
    }
  });

  test('beside the API there is only JSON', async () => {
    for (const target of ['/social/rpc?format=xml', '/x?format=xml', 'http://other/social/rest/x?format=xml']) {
      const text = await get(target, 'Host: h\r\nHost: evil\r\n');
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error.code).toBe(400);
    }
  });
});

test('closing lets an accepted request finish and refuses new ones (security rule 21)', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  answer = () => {
    arrive();
    return promise;
  };
  const pending = fetch(`http://127.0.0.1:${server.port}/slow`);
  await arrived;
  const closing = server.close();
  await expect.poll(knock).toBe('ECONNREFUSED');
  resolve(new Response('whole'));
  expect(await (await pending).text()).toBe('whole');
  await closing;
});

/** Connects and disconnects. Resolves with `open`, or the error's code. */
function knock(): Promise<string | undefined> {
  const socket = connect(server.port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    socket.once('connect', () => {
      socket.destroy();
      resolve('open');
    });
  });
}

test('a client that just had an answer gets its next one too, marked as the last (security rule 21)', async () => {
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(socket, 'data');
  const closing = server.close();
  socket.write('GET /b HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(socket, 'close');
  await closing;
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  expect(text.match(/^Connection: (.*)\r$/gim)).toEqual(['Connection: keep-alive\r', 'Connection: close\r']);
  expect(seen.map(({ rawTarget }) => rawTarget)).toEqual(['/a', '/b']);
});

test('nonsense is refused after the answers that come before it, never instead of one', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  const answered = raw('GET /a HTTP/1.1\r\nHost: h\r\n\r\nNONSENSE\r\n\r\n');
  await expect.poll(() => seen.length).toBe(1);
  resolve(new Response('fine'));
  expect((await answered).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('a connection that asked for nothing yet has a second for it, and does not hold up closing longer (security rule 21)', async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const connectedAtMs = performance.now();
  await server.close();
  await once(socket, 'close');
  expect(performance.now() - connectedAtMs).toBeGreaterThan(900);
});

describe('time-outs (security rule 20, contract §4)', () => {
  const short = { ...defaultLimits, headersMs: 100, requestMs: 200, keepAliveMs: 100, silenceMs: 400, checkMs: 20 };
  let impatient: NodeServer;
  beforeEach(async () => {
    impatient = await listen({ port: 0, host: '127.0.0.1', limits: short, fetch: async () => new Response('fine') });
  });
  afterEach(() => impatient.close());

  /** Sends bytes, keeps its half open, and reads until the server closes. */
  async function holdOpen(bytes: string): Promise<string> {
    const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.write(bytes);
    await once(socket, 'end');
    socket.destroy();
    return text;
  }

  test.each([
    ['headers', 'GET /a HTTP/1.1\r\nHost: h\r\n'],
    ['a body', 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc'],
  ])('%s that do not come are 408, in JSON', async (_, bytes) => {
    const text = await holdOpen(bytes);
    expect(text).toMatch(/^HTTP\/1.1 408/);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      error: { code: 408, message: 'The request did not arrive in time.' },
    });
  });

  test('a body of an XML request that does not come is 408 in XML', async () => {
    const target = '/social/rest/appData/@me/@self/@app?format=xml';
    const text = await holdOpen(`POST ${target} HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc`);
    expect(text).toMatch(/^HTTP\/1.1 408/);
    expect(text).toContain('Content-Type: application/xml; charset=utf-8\r\n');
    expect(text).toContain('<response><error><code>408</code>');
  });

  test('a client that never closes its half does not keep its connection', async () => {
    const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('NONSENSE\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    await expect
      .poll(
        () => new Promise((resolve) => socket.write('x', (error) => resolve(error !== undefined && error !== null))),
        { timeout: 5_000 },
      )
      .toBe(true);
  });

  test('a kept connection is let go when nothing more is asked', async () => {
    expect(await holdOpen('GET /a HTTP/1.1\r\nHost: h\r\n\r\n')).toMatch(/^HTTP\/1.1 200/);
  });

  test('a stop does not wait for ever for a body that does not come (security rule 21)', async () => {
    const socket = connect(impatient.port, '127.0.0.1');
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nabc');
    await once(socket, 'data'); // it was accepted
    await impatient.close();
  });
});

describe('connections that another process accepted', () => {
  let acceptor: Server;
  let end: () => void;
  let worker: NodeServer;
  beforeEach(async () => {
    acceptor = createServer().listen(0, '127.0.0.1');
    await once(acceptor, 'listening');
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    end = resolve;
    const { port } = acceptor.address() as AddressInfo;
    const limits = { ...defaultLimits, headersMs: 100, requestMs: 100, checkMs: 20, connections: 2 };
    worker = await listen({
      ...{ port: 0, host: '', limits, fetch: async () => new Response('fine') },
      handed: { port, take: (onConnection) => acceptor.on('connection', onConnection), end: () => ended },
    });
  });
  afterEach(async () => {
    acceptor.close();
    end();
    await worker.close();
  });

  test('are answered as its own', async () => {
    expect(await (await fetch(`http://127.0.0.1:${worker.port}/a`)).text()).toBe('fine');
  });

  test('have the same time-outs (security rule 20)', async () => {
    const socket = connect(worker.port, '127.0.0.1');
    socket.write('GET /a HTTP/1.1\r\nHost: h\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 408/);
    socket.destroy();
  });

  test('have the same limit (security rule 20)', async () => {
    const held = [connect(worker.port, '127.0.0.1'), connect(worker.port, '127.0.0.1')];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const third = connect(worker.port, '127.0.0.1').on('error', () => {}); // it may be reset
    await once(third, 'close');
    for (const socket of held) socket.destroy();
  });
});

test('connections beyond the limit are let go at once, and there is room again when one closes (security rule 20)', async () => {
  const small = await listen({
    port: 0,
    host: '127.0.0.1',
    limits: { ...defaultLimits, connections: 2 },
    fetch: async () => new Response('fine'),
  });
  const open = async () => {
    const socket = connect(small.port, '127.0.0.1');
    socket.on('error', () => {}); // a connection that is let go may be reset
    socket.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
    const status = await new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk).slice(0, 12)));
      socket.once('close', () => resolve('closed'));
    });
    return { socket, status };
  };
  const [first, second] = [await open(), await open()];
  expect([first.status, second.status, (await open()).status]).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'closed']);
  first.socket.end();
  await once(first.socket, 'close');
  await expect.poll(async () => (await open()).status).toBe('HTTP/1.1 200');
  await small.close();
});
