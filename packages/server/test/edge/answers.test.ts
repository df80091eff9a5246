import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type DocumentSource, folderSource } from '@gantry/proxy';
import { getRequestListener } from '@hono/node-server';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConnectionTurns } from '../../src/edge/connection-turns.ts';
import { defaultLimits } from '../../src/edge/limits.ts';
import { listen } from '../../src/http/node-server.ts';
import { addApp, createGantry, type Gantry, toNodeListener } from '../../src/index.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';
import { type OpenServer, servers } from '../http/node-servers.ts';
import { sendRaw } from '../http/send-raw.ts';

const megabyte = 1024 * 1024;
const chunkBytes = 64 * 1024;
const get = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: social.example\r\n\r\n`;
const last = (path: string, method = 'GET') => get(path, method).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

/** A body of 64 MB that counts the bytes that were made of it. */
function largeBody() {
  const body = {
    made: 0,
    isCancelled: false,
    stream: () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (body.made === 64 * megabyte) return controller.close();
            body.made += chunkBytes;
            controller.enqueue(new Uint8Array(chunkBytes));
          },
          cancel() {
            body.isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      ),
  };
  return body;
}
const headers = { 'Content-Length': String(64 * megabyte) };

/** Opens a connection that reads nothing. */
function silent(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves with the response that arrived before the server closed an unread connection. */
async function sendDespiteReset(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function opened(server: Promise<OpenServer>): Promise<number> {
  const { port, close } = await server;
  onTestFinished(() => close());
  return port;
}

describe.each(servers)('$name', ({ open }) => {
  test.each(['a Response', 'no Response'])(
    'HEAD takes nothing of a stream, with %s (security rule 34)',
    async (way) => {
      const body = largeBody();
      const answer = async () => ({ status: 200, headers, body: body.stream() });
      const port = await opened(
        open({
          fetch: async () => new Response(body.stream(), { headers }),
          ...(way === 'no Response' && { direct: answer }),
        }),
      );
      const text = await sendRaw(port, get('/x', 'HEAD').repeat(20), last('/x', 'HEAD'));
      expect(text.match(/^HTTP\/1.1 200/gm)?.length).toBe(21);
      expect(text.match(/^Content-Length: 67108864\r$/gim)?.length).toBe(21);
      expect([body.made, body.isCancelled]).toEqual([0, true]);
    },
  );

  test.each(['a Response', 'no Response'])('makes no more than a client reads, with %s', async (way) => {
    const body = largeBody();
    const answer = async () => ({ status: 200, headers, body: body.stream() });
    const port = await opened(
      open({
        fetch: async () => new Response(body.stream(), { headers }),
        ...(way === 'no Response' && { direct: answer }),
      }),
    );
    const socket = silent(port, last('/x'));
    await expect.poll(() => body.made).toBeGreaterThan(0);
    for (let turn = 0; turn < 20; turn++) await sendRaw(port, last('/x', 'HEAD'));
    expect(body.made).toBeLessThan(32 * megabyte); // the system's buffers take some
    let received = 0;
    socket.on('data', ({ length }) => {
      received += length;
    });
    await once(socket.resume(), 'close');
    expect(received).toBeGreaterThan(64 * megabyte);
  });

  test('a connection has eight requests in work, and the others wait in order', async () => {
    const { limits, most } = { limits: { ...defaultLimits }, most: { working: 0, at: 0 } };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const fetch = async (request: Request) => {
      most.working++;
      most.at = Math.max(most.at, most.working);
      await released;
      most.working--;
      return new Response(new URL(request.url).pathname);
    };
    const port = await opened(open({ fetch, limits }));
    const many = Array.from({ length: 40 }, (_, index) => get(`/p${index}`)).join('') + last('/end');
    const answers = sendRaw(port, many);
    const other = sendRaw(port, last('/other'));
    await expect.poll(() => most.working).toBe(9);
    release();
    expect([...(await answers).matchAll(/\r\n\r\n\/(p\d+|end)/g)].map(([, path]) => path)).toEqual([
      ...Array.from({ length: 40 }, (_, index) => `p${index}`),
      'end',
    ]);
    expect(await other).toMatch(/\/other$/);
    expect(most.at).toBe(9);
  });

  test('a connection that goes away takes its waiting requests with it', async () => {
    let begun = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const fetch = async () => {
      begun++;
      await released;
      return new Response('late');
    };
    const port = await opened(open({ fetch }));
    const socket = silent(port, get('/x').repeat(100));
    await expect.poll(() => begun).toBe(8);
    socket.destroy();
    release();
    expect(await sendRaw(port, last('/x'))).toMatch(/late$/);
    expect(begun).toBeLessThan(50);
  });

  test('a body in chunks of a byte ends soon, and one in larger chunks is read (security rule 34)', async () => {
    let received = 0;
    const fetch = async (request: Request) => {
      received = (await request.arrayBuffer()).byteLength;
      return new Response('read');
    };
    const port = await opened(open({ fetch }));
    const head = 'POST /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunks = (count: number, size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count);
    expect(await sendDespiteReset(port, head + chunks(200_000, 1))).toMatch(/^HTTP\/1.1 413 /);
    expect(received).toBe(0);
    expect(await sendRaw(port, head, chunks(8_000, 100), '0\r\n\r\n')).toMatch(/read$/);
    expect(received).toBe(800_000);
  });
});

test('an upload that is streamed in chunks of a byte ends soon, too (security rule 34)', async () => {
  const ends: unknown[] = [];
  const fetch = async (request: Request) => {
    const body = await request.arrayBuffer().catch((error: unknown) => error);
    ends.push(body instanceof ArrayBuffer ? body.byteLength : 'broke off');
    return new Response('read');
  };
  const server = await listen({ port: 0, host: '127.0.0.1', fetch, streams: () => true });
  onTestFinished(() => server.close());
  const head = 'PUT /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(await sendDespiteReset(server.port, head + '1\r\nx\r\n'.repeat(200_000))).toMatch(/^HTTP\/1.1 413 /);
  expect(await sendRaw(server.port, head, '1\r\nx\r\n'.repeat(1_000), '0\r\n\r\n')).toMatch(/read$/); // control
  await expect.poll(() => ends.toSorted()).toEqual([1_000, 'broke off']);
});

test('a request that waits on its connection keeps its own asynchronous context (security rule 32)', async () => {
  const contexts = new AsyncLocalStorage<string>();
  const naive: (string | undefined)[] = [];
  const own: (string | undefined)[] = [];
  const inTurn = createConnectionTurns(1);
  const waiting: (() => void)[] = []; // control: a queue that keeps functions alone
  const port = await serve((incoming, outgoing) => {
    contexts.run(incoming.url ?? '', () => {
      waiting.push(() => naive.push(contexts.getStore()));
      inTurn(incoming, outgoing, () => {
        own.push(contexts.getStore());
        outgoing.end();
      });
    });
    if (waiting.length === 3) for (const work of waiting) work();
  });
  await sendRaw(port, get('/a'), get('/b'), last('/c'));
  expect([own, naive]).toEqual([
    ['/a', '/b', '/c'],
    [undefined, undefined, undefined],
  ]);
});

test('the controls: an adapter alone drains a stream under HEAD, and works on all requests at once', async () => {
  const body = largeBody();
  let working = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const adapt = getRequestListener(
    async (request) => {
      if (request.method === 'HEAD') return new Response(body.stream(), { headers });
      working++;
      await released;
      return new Response('done');
    },
    { overrideGlobalObjects: false },
  );
  const port = await serve(adapt);
  await sendRaw(port, last('/x', 'HEAD'));
  await expect.poll(() => body.made).toBe(64 * megabyte);
  silent(port, get('/x').repeat(40));
  await expect.poll(() => working).toBe(40);
  release();
});

interface AppSite {
  readonly gantry: Gantry;
  /** Path of the film in the app's folder. */
  readonly film: string;
  /** Times that the content of a file was asked for. */
  readonly counts: { read: number };
}

/** A site with an app that has a film of 32 MB and a text of 100,000 bytes. */
async function openSite({ answersBytes = defaultLimits.answersBytes } = {}): Promise<AppSite> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-answers-'));
  const folder = join(data, 'film');
  await mkdir(folder);
  await writeFile(join(folder, 'gadget.json'), '{ "name": "Film", "page": "index.html" }');
  await writeFile(join(folder, 'index.html'), 'page');
  await writeFile(join(folder, 'text.txt'), 'x'.repeat(100_000));
  await writeFile(join(folder, 'film.mp4'), '');
  await truncate(join(folder, 'film.mp4'), 32 * megabyte);
  const counts = { read: 0 };
  const documents: DocumentSource = {
    async open(request) {
      const file = await folderSource.open(request);
      const body = () => {
        counts.read++;
        return file.body();
      };
      return { ...file, body };
    },
  };
  const log = pino({ level: 'silent' });
  const telemetry = createTelemetry({ level: 'silent', limits: { ...defaultLimits, answersBytes }, log });
  const gantry = await createGantry({ data, url: 'http://social.example', log, telemetry, documents });
  onTestFinished(async () => {
    await gantry.close();
    telemetry.load.close();
    await rm(data, { recursive: true });
  });
  await addApp(gantry.stores, { id: 'film', folder, live: true, trusted: true });
  return { gantry, film: join(folder, 'film.mp4'), counts };
}

const filmPath = '/gantry/apps/film/film.mp4';
const ask = ({ gantry }: AppSite, path: string, method = 'GET') =>
  gantry.fetch(new Request(`http://social.example${path}`, { method }), path);

test('HEAD of an app’s file opens it, says its length and reads nothing, by Node and by fetch', async () => {
  const site = await openSite();
  const port = await serve(toNodeListener(site.gantry));
  const text = await sendRaw(port, get(filmPath, 'HEAD').repeat(119), last(filmPath, 'HEAD'));
  expect(text.match(/^content-length: 33554432\r$/gim)?.length).toBe(120);
  const response = await ask(site, filmPath, 'HEAD');
  expect([response.body, response.headers.get('content-length')]).toEqual([null, '33554432']);
  expect([site.counts.read, site.gantry.telemetry.answers.held]).toEqual([0, 0]);
  expect((await (await ask(site, filmPath)).arrayBuffer()).byteLength).toBe(32 * megabyte); // control
  expect(site.counts.read).toBe(1);
});

test('a file that becomes shorter ends the connection, and is never a short 200 (security rule 21)', async () => {
  const site = await openSite();
  const port = await serve(toNodeListener(site.gantry));
  const socket = silent(port, last(filmPath));
  const response = await ask(site, filmPath);
  await expect.poll(() => site.counts.read).toBe(2);
  await truncate(site.film, 100);
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  await once(socket.resume(), 'close');
  expect(received).toBeLessThan(32 * megabyte); // less than Content-Length
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect(site.gantry.telemetry.answers.held).toBe(0);
});

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

test('answers of fetch that nobody has read are bounded together, whatever becomes of them (security rule 34)', async () => {
  const site = await openSite({ answersBytes: 10 * 131_072 });
  const { answers } = site.gantry.telemetry;
  let unread: Response[] = [];
  for (let count = 0; count < 10; count++) unread.push(await ask(site, filmPath));
  expect([answers.held, unread.map(({ status }) => status)]).toEqual([1_310_720, Array(10).fill(200)]);
  const refused = await ask(site, filmPath);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await ask(site, '/gantry/apps/film/index.html')).status).toBe(200); // a small one
  await unread[0]?.body?.cancel(); // gone
  await unread[1]?.arrayBuffer(); // read
  expect(answers.held).toBe(8 * 131_072);
  expect((await ask(site, filmPath, 'HEAD')).status).toBe(200);
  unread = []; // forgotten
  await expect
    .poll(() => {
      collectGarbage();
      return answers.held;
    })
    .toBe(0);
  expect((await ask(site, filmPath)).status).toBe(200);
});

test('a text counts with all its bytes until it is read, and comes as it is', async () => {
  const site = await openSite();
  const { answers } = site.gantry.telemetry;
  const response = await ask(site, '/openapi.json');
  const length = Number(response.headers.get('content-length'));
  expect(length).toBeGreaterThan(65_536);
  expect(answers.held).toBe(length);
  const port = await serve(toNodeListener(site.gantry));
  const sent = await sendRaw(port, last('/openapi.json'));
  expect(await response.text()).toBe(sent.slice(sent.indexOf('\r\n\r\n') + 4));
  expect(answers.held).toBe(0);
});

test('answers on connections that nobody reads are bounded together, until those are gone', async () => {
  const site = await openSite({ answersBytes: 4 * 131_072 });
  const { answers } = site.gantry.telemetry;
  const port = await serve(toNodeListener(site.gantry));
  const sockets = Array.from({ length: 4 }, () => silent(port, get(filmPath)));
  await expect.poll(() => answers.held).toBe(4 * 131_072);
  expect(await sendRaw(port, last(filmPath))).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: 1/i);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => answers.held).toBe(0);
  expect(await sendRaw(port, last(filmPath, 'HEAD'))).toMatch(/^HTTP\/1.1 200/);
});
