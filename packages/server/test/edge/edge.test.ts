import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClientAddress } from '../../src/edge/client-address.ts';
import { createFailureLimit } from '../../src/edge/failure-limit.ts';
import { defaultLimits } from '../../src/edge/limits.ts';
import { requestContext } from '../../src/edge/request-context.ts';
import { readServerConfiguration, startServer } from '../../src/index.ts';
import { parseAddresses } from '../../src/setup/ip-addresses.ts';
import { type RunningSite, runSite, signed } from '../running-site.ts';

let site: RunningSite | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await site?.stop();
  site = undefined;
});

describe('the client of a request (contract §5)', () => {
  const clientOf = createClientAddress(parseAddresses('10.0.0.0/8,::1').list);
  const ask = (remoteAddress: string, forwarded?: string): Client =>
    clientOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage);

  test.each([
    ['a client itself', '192.0.2.7', undefined, '192.0.2.7'],
    ['a client that claims to be another', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
    ['a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['a trusted proxy behind another', '10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['a client that wrote addresses of its own', '10.1.2.3', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['a trusted proxy that names nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['an IPv4 client of a socket for both', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ])('%s', (_, remote, forwarded, address) => {
    expect(ask(remote, forwarded).address).toBe(address);
  });

  test('an address counts for one client only where it cannot be a proxy that nobody named', () => {
    const plain = createClientAddress(undefined);
    const distinct = (remoteAddress: string) =>
      plain({ socket: { remoteAddress }, headers: {} } as unknown as IncomingMessage).isDistinct;
    expect(['192.0.2.7', '2001:db8::1'].map(distinct)).toEqual([true, true]);
    expect(['127.0.0.1', '10.0.0.1', '172.17.0.1', '192.168.1.1', '::1', 'fd00::1'].map(distinct)).toEqual(
      Array(6).fill(false),
    );
  });
});

test('an address that fails 300 times is held back, one network of IPv6 as one address, and comes free with time', () => {
  let nowMs = 0;
  const limit = createFailureLimit(() => nowMs);
  const at = (address: string, isDistinct = true): Client => ({ address, isDistinct, isForwarded: false });
  for (let i = 0; i < 300; i++) for (const address of ['192.0.2.7', '2001:db8::1']) limit.note(at(address));
  for (let i = 0; i < 900; i++) limit.note(at('10.0.0.1', false));
  expect(limit.wait(at('192.0.2.7'))).toBe(1);
  expect(limit.wait(at('2001:db8::ffff:9'))).toBe(1);
  expect(limit.wait(at('2001:db8:0:1::1'))).toBeUndefined();
  expect(limit.wait(at('192.0.2.8'))).toBeUndefined();
  expect(limit.wait(at('10.0.0.1', false))).toBeUndefined();
  nowMs = 200;
  expect(limit.wait(at('192.0.2.7'))).toBeUndefined();
});

test('only a client that keeps failing to authorize gets 429 before OAuth (contract §4)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // failures expire with time
  site = await runSite(['--trust-proxy', '127.0.0.1,::1']);
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const url = `${site.server.url}/social/rest/people/@me/@self`;
  const statuses = [];
  for (let i = 0; i < 302; i++) statuses.push((await fetch(url, from('192.0.2.7'))).status);
  expect(statuses).toEqual([...Array(300).fill(401), 429, 429]);
  const held = await site.ask('/people/@me/@self', from('192.0.2.7'));
  expect([held.status, Number(held.headers.get('retry-after'))]).toEqual([429, 1]);
  expect((await site.ask('/people/@me/@self', from('192.0.2.8'))).status).toBe(200);
});

test('every answer has a request id; a given one counts only from a trusted proxy', async () => {
  const id = async (from: RunningSite) =>
    (await from.ask('/people/@me/@self', { headers: { 'X-Request-Id': 'given-1' } })).headers.get('x-request-id');
  site = await runSite();
  expect(await id(site)).toMatch(/^[0-9a-f-]{36}$/);
  await site.stop();
  site = await runSite(['--trust-proxy', '127.0.0.1,::1']);
  expect(await id(site)).toBe('given-1');
  const odd = await site.ask('/people/@me/@self', { headers: { 'X-Request-Id': 'a b"c' } });
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a trace is followed only from a trusted proxy, and only a well-formed one (W3C Trace Context)', () => {
  const header = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traceOf = (traceparent: string, isForwarded = true) => {
    const client: Client = { address: '192.0.2.7', isForwarded, isDistinct: true };
    const incoming = Object.assign(new IncomingMessage(new Socket()), { headers: { traceparent } });
    return requestContext({ client, area: 'rest', incoming }).trace;
  };
  expect(traceOf(header)).toEqual({ header, id: '0af7651916cd43dd8448eb211c80319c' });
  expect(traceOf(header, false)).toBeUndefined();
  for (const odd of [
    header.toUpperCase(),
    `${header}-x`,
    header.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  ]) {
    expect(traceOf(odd)).toBeUndefined();
  }
});

test('a flood beyond what fits is refused at once with Retry-After, watchers are not, and it passes (contract §4)', async () => {
  const start = await runSite();
  const { data } = start;
  await start.server.close();
  const server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data], {}),
    viewer: async () => '1',
    // `site` pages wait until the test lets them go, which fills the server as slow work would.
    site: async () => {
      arrived++;
      await freed;
      return new Response('page');
    },
    limits: { ...defaultLimits, inFlight: 20 },
  });
  let arrived = 0;
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const url = `${server.url}/social/rest/people/@me/@self`;
  const pages = Array.from({ length: 20 }, () => fetch(`${server.url}/page`));
  await expect.poll(() => arrived).toBe(20);
  const flood = await Promise.all(Array.from({ length: 200 }, () => fetch(url, signed(url))));
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([503]));
  expect(flood[0]?.headers.get('retry-after')).toBe('1');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
  free();
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await fetch(url, signed(url))).status).toBe(200);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('gantry_turned_away_total{reason="overloaded"} 200');
  await server.close();
  await start.stop();
});

test('a server that is about to stop says so and goes on answering (security rule 21)', async () => {
  site = await runSite();
  const { server } = site;
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.leave();
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }]);
  expect((await site.ask('/people/@me/@self')).status).toBe(200);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('under load a stop resets no connection, cuts no answer and refuses nothing that was accepted (security rule 21)', async () => {
  site = await runSite();
  const { server, port } = site;
  const url = `${server.url}/social/rest/people/@me/@friends?xoauth_requestor_id=1`;
  const problems: string[] = [];
  let answered = 0;

  /** A client that sends requests on one kept connection until a response is the last. */
  const client = async () => {
    const socket = connect(port, '127.0.0.1');
    const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (let isLast = false; !isLast; ) {
      const { Authorization } = signed(url).headers as Record<string, string>;
      const head = [
        `GET ${url.slice(server.url.length)} HTTP/1.1`,
        `Host: ${new URL(url).host}`,
        `Authorization: ${Authorization}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      let text = '';
      while (!isWhole(text)) {
        const chunk = await chunks.next();
        if (chunk.done) return problems.push(`cut: ${text.slice(0, 100)}`);
        text += chunk.value;
      }
      if (!text.startsWith('HTTP/1.1 200')) problems.push(text.slice(0, 200));
      answered++;
      isLast = /^connection: close\r$/im.test(text);
    }
    socket.end();
    return undefined;
  };
  const clients = Array.from({ length: 20 }, () => client().catch((error: Error) => problems.push(error.message)));
  await expect.poll(() => answered).toBeGreaterThan(100);
  await server.close();
  await Promise.all(clients);
  expect(problems).toEqual([]);
});

function isWhole(text: string): boolean {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  const length = /^content-length: (\d+)\r$/im.exec(text)?.[1];
  return bodyAt > 3 && length !== undefined && text.length - bodyAt >= Number(length);
}
