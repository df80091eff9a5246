import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen, type NodeServer } from '../src/node-server.ts';

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

/** Sends bytes as they are and answers everything that came back. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

function get(target: string, headers = 'Host: h\r\n'): Promise<string> {
  return raw(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
}

test.each(['/a/b?x=1', '/a/%7Eb', '/people/1%2C2/@self', '/a?q=..&r=%2e', '/a?b?c', "/it's"])(
  'hands over the target as it was sent: %s (security rule 16)',
  async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1.1 200/);
    expect(seen).toMatchObject([{ rawTarget: target }]);
  },
);

test.each(['http://other/a', '/a/../b', '/a/./b', '/a/%2e%2e/b', '/a#b', '/a\\b', '/a"b', '*'])(
  'refuses a target that would be read differently: %s (security rule 16)',
  async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1.1 400/);
    expect(seen).toEqual([]);
  },
);

test.each([
  ['two Host headers', 'Host: h\r\nHost: evil\r\n'],
  ['no Host header', ''],
  ['two Authorization headers', 'Host: h\r\nAuthorization: OAuth a="1"\r\nAuthorization: OAuth b="2"\r\n'],
])('refuses %s (security rule 16)', async (_, headers) => {
  expect(await get('/a', headers)).toMatch(/^HTTP\/1.1 400/);
  expect(seen).toEqual([]);
});

test('a body of 1 MiB passes, one byte more is 413, announced or not (contract §2)', async () => {
  const post = (size: number) => fetch(`http://127.0.0.1:${server.port}/a`, { method: 'POST', body: 'x'.repeat(size) });
  expect((await post(1024 * 1024)).status).toBe(200);
  expect((await post(1024 * 1024 + 1)).status).toBe(413);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(17);
  const answered = await raw(`POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
  expect(answered).toMatch(/^HTTP\/1.1 413/);
  expect(JSON.parse(answered.slice(answered.indexOf('{')))).toEqual({
    error: { code: 413, message: 'A request body is at most 1048576 bytes.' },
  });
  expect(seen).toHaveLength(1);
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
  await expect(fetch(`http://127.0.0.1:${server.port}/late`)).rejects.toThrow();
  resolve(new Response('whole'));
  expect(await (await pending).text()).toBe('whole');
  await closing;
});

test('a connection that never asked for anything does not hold up closing (security rule 21)', async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  await server.close();
  await once(socket, 'close');
});
