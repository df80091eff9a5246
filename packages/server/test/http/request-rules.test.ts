import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/edge/limits.ts';
import { type OpenServer, servers } from './node-servers.ts';
import { sendRaw } from './send-raw.ts';

describe.each(servers)('$name', ({ open }) => {
  let server: OpenServer;
  let seen: { method: string; rawTarget: string; url: string; body: string }[];

  beforeEach(async () => {
    seen = [];
    server = await open({
      fetch: async (request, rawTarget) => {
        seen.push({ method: request.method, rawTarget, url: request.url, body: await request.text() });
        return new Response('fine');
      },
    });
  });
  afterEach(() => server.close());

  const raw = (bytes: string) => sendRaw(server.port, bytes);

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
    const post = (size: number) =>
      fetch(`http://127.0.0.1:${server.port}/a`, { method: 'POST', body: 'x'.repeat(size) });
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

  test('a client that is still sending gets to read why it was refused', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n');
    for (let sent = 0; sent < 50; sent++) socket.write('x'.repeat(100_000)); // more than the system's buffers take
    await once(socket, 'end');
    socket.end();
    expect(text).toMatch(/^HTTP\/1.1 413/);
  });

  test('more than 100 headers are 431, and none of them is overlooked', async () => {
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `X${index}: 1\r\n`).join('');
    expect(await get('/a', `Host: h\r\n${headers(98)}`)).toMatch(/^HTTP\/1.1 200/);
    expect(await get('/a', `Host: h\r\n${headers(99)}`)).toMatch(/^HTTP\/1.1 431/);
    expect(await get('/a', `${headers(150)}Host: h\r\nHost: evil\r\n`)).toMatch(/^HTTP\/1.1 431/);
  });

  test('bodies that are received at the same time have one limit together (security rule 20)', async () => {
    const small = await open({
      limits: { ...defaultLimits, bodiesBytes: 100_000 },
      fetch: async () => new Response('fine'),
    });
    const post = (size: number) =>
      fetch(`http://127.0.0.1:${small.port}/a`, { method: 'POST', body: 'x'.repeat(size) });
    const refused = await post(150_000);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await post(90_000)).status).toBe(200);
    await small.close();
  });

  describe('a body that comes in pieces, without a Response around it', () => {
    let pieces: ReadableStreamDefaultController<Uint8Array>;
    let cancelled: boolean;
    let streaming: OpenServer;
    beforeEach(async () => {
      cancelled = false;
      streaming = await open({
        fetch: async () => new Response('not here'),
        direct: async () => ({
          status: 200,
          headers: { 'Content-Type': 'text/plain' },
          body: new ReadableStream({
            start(controller) {
              pieces = controller;
              controller.enqueue(Buffer.from('one '));
            },
            cancel() {
              cancelled = true;
            },
          }),
        }),
      });
    });
    afterEach(() => streaming.close());

    test('is sent as it comes', async () => {
      const response = await fetch(`http://127.0.0.1:${streaming.port}/a`);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      expect(String(Buffer.from((await reader.read()).value ?? []))).toBe('one ');
      pieces.enqueue(Buffer.from('two'));
      pieces.close();
      expect(String(Buffer.from((await reader.read()).value ?? []))).toBe('two');
      expect((await reader.read()).done).toBe(true);
    });

    test('ends when its client goes away', async () => {
      const socket = connect(streaming.port, '127.0.0.1');
      socket.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
      await expect.poll(() => cancelled).toBe(true);
    });

    test('that breaks off is never taken for a whole one', async () => {
      const response = await fetch(`http://127.0.0.1:${streaming.port}/a`);
      const body = response.text();
      pieces.error(new Error('the database went away'));
      await expect(body).rejects.toThrow();
    });
  });
  test('a body that does not come is 408, and one whose client goes away is dropped (security rule 20)', async () => {
    const impatient = await open({
      limits: { ...defaultLimits, requestMs: 200 },
      fetch: async () => new Response('fine'),
    });
    const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc');
    await once(socket, 'end');
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1.1 408/);
    const gone = connect(impatient.port, '127.0.0.1');
    gone.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc');
    gone.resetAndDestroy();
    expect(await (await fetch(`http://127.0.0.1:${impatient.port}/a`)).text()).toBe('fine');
    await impatient.close();
  });
});
