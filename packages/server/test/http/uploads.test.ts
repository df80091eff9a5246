import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { createGantry, defaultLimits, readServerConfiguration, startServer, toNodeListener } from '../../src/index.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';
import { freePort } from '../free-port.ts';
import { prepareWorld } from '../running-site.ts';
import { sendRaw } from './send-raw.ts';

const jpeg = new Uint8Array(
  await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer(),
);

// Client and server share an event loop, which a busy machine keeps waiting: no overload here.
const limits = { ...defaultLimits, lagMs: Number.POSITIVE_INFINITY };

interface OpenSite {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const kinds: readonly { readonly name: string; readonly open: (data: string) => Promise<OpenSite> }[] = [
  {
    name: 'a server of its own',
    open: (data) =>
      startServer({
        configuration: readServerConfiguration(['--port', '0', '--data', data], {}),
        viewer: async () => '1',
        limits,
        prepare: prepareWorld,
      }),
  },
  { name: 'the server of a site', open: openEmbedded },
];

async function openEmbedded(data: string): Promise<OpenSite> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const telemetry = createTelemetry({ level: 'warn', limits });
  const gantry = await createGantry({ data, url, viewer: () => '1', telemetry });
  await prepareWorld(gantry.stores);
  const server = createServer(toNodeListener(gantry)).listen(port, 'localhost');
  await once(server, 'listening');
  return {
    url,
    port,
    async close() {
      server.close();
      await gantry.close();
      telemetry.load.close();
      server.closeAllConnections();
    },
  };
}

describe.each(kinds)('photos received by $name', ({ open }) => {
  const data = folderForFile();
  let server: OpenSite;
  let album: string;
  let token: string;

  beforeAll(async () => {
    server = await open(data);
    const form = await (await fetch(`${server.url}/account/photos/new-album`)).text();
    const made = await fetch(`${server.url}/account/photos/new-album`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.url },
      body: new URLSearchParams({ form_token: tokenIn(form), title: 'Harbour', visibility: 'site' }),
    });
    album = `${server.url}${made.headers.get('location')}`;
    token = tokenIn(await (await fetch(album)).text());
  });

  afterAll(() => server.close());

  function tokenIn(page: string): string {
    return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  }

  function put(body: Uint8Array<ArrayBuffer>): Promise<Response> {
    return fetch(`${album}/upload?name=a.jpg`, {
      method: 'PUT',
      headers: { origin: server.url, 'x-form-token': token },
      body,
    });
  }

  async function left(): Promise<readonly string[]> {
    return readdir(join(data, 'media', '.drafts')).catch(() => []);
  }

  const answerTo = (...pieces: readonly (string | Uint8Array)[]) => sendRaw(server.port, ...pieces);

  const head = (length: number, more = '') =>
    `PUT ${new URL(album).pathname}/upload HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\n` +
    `X-Form-Token: ${token}\r\nContent-Length: ${length}\r\n${more}\r\n`;

  test('a photo larger than any other body is received piece by piece (contract §2)', async () => {
    const noise = await sharp({
      create: {
        width: 1400,
        height: 1400,
        channels: 3,
        noise: { type: 'gaussian', mean: 120, sigma: 60 },
        background: 'red',
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(noise.length).toBeGreaterThan(5_000_000);
    expect((await put(new Uint8Array(noise))).status).toBe(201);
    expect((await put(jpeg)).status).toBe(201);
    const page = await (await fetch(album)).text();
    expect(page).toContain('2 photos');
  });

  test('one that is too large is 413, said before the body comes and while it comes (security rule 20)', async () => {
    const announced = await answerTo(head(30 << 20, 'Connection: close\r\n'), jpeg.subarray(0, 100));
    expect(announced).toMatch(/^HTTP\/1.1 413/);
    expect(announced).toContain('A photo has at most 20 MB here.');
    const big = new Uint8Array(25 << 20).fill(7);
    big.set(jpeg.subarray(0, 20));
    const streamed = await fetch(`${album}/upload`, {
      method: 'PUT',
      headers: { origin: server.url, 'x-form-token': token },
      body: new Blob([big]).stream(),
      ...{ duplex: 'half' },
    });
    expect(streamed.status).toBe(413);
    expect((await put(jpeg)).status).toBe(201);
    expect(await left()).toEqual([]);
  });

  test('a client that goes away half-way leaves no file', async () => {
    const socket = connect(server.port, 'localhost');
    socket.on('error', () => {});
    socket.write(head(jpeg.length));
    socket.write(jpeg.subarray(0, 500));
    await expect.poll(left).toHaveLength(1); // control
    socket.destroy();
    await expect.poll(left).toEqual([]);
  });

  test('other bodies keep their limit, and strangers send nothing (contract §2, security rule 10)', async () => {
    const large = await fetch(`${server.url}/account/photos/new-album`, { method: 'POST', body: 'x'.repeat(2 << 20) });
    expect(large.status).toBe(413);
    const foreign = await fetch(`${album}/upload`, {
      method: 'PUT',
      body: jpeg,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect(await left()).toEqual([]);
  });
});
