import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainApp, typescriptApp, writeApps } from '../../../e2e/dev/sample-apps.ts';
import { type DevServer, startDevServer } from '../src/index.ts';
import { ask } from './ask.ts';

let dev: DevServer;
let port: number;
let folders: { readonly built: string; readonly plain: string };
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ folders, remove } = await writeApps({ built: typescriptApp, plain: plainApp }));
  dev = await startDevServer({ folders: [folders.built, folders.plain], port: 0 });
  port = Number(new URL(dev.url).port);
});
afterAll(async () => {
  await dev.close();
  await remove();
});

test.each([
  ['another name for this machine', { Host: 'evil.example' }, '/'],
  ['another port', { Host: '127.0.0.1:1' }, '/'],
  ['a script tag of another site', { 'Sec-Fetch-Site': 'cross-site' }, '/dev/hot'],
  ['another port of this machine', { 'Sec-Fetch-Site': 'same-site' }, '/dev/hot'],
  ['a frame of an app', { Origin: 'null' }, '/dev/events'],
  ['a request of another site', { Origin: 'https://evil.example' }, '/dev/page/main.js'],
])('refuses what comes from %s (security rule 10)', async (_what, headers, path) => {
  const host = { Host: `127.0.0.1:${port}` };
  expect((await ask(dev.url, path, { headers: { ...host, ...headers } })).status).toBe(403);
});

test.each(['POST', 'PUT', 'DELETE'])(
  'refuses %s of another origin below /gantry/ too (security rule 10)',
  async (method) => {
    const headers = { Host: `127.0.0.1:${port}`, Origin: 'null' };
    expect((await ask(dev.url, '/gantry/calls', { method, headers })).status).toBe(403);
  },
);

test.each(['127.0.0.1', 'localhost'])('answers as %s', async (name) => {
  const { status, headers } = await ask(dev.url, '/', { headers: { Host: `${name}:${port}` } });

  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).toContain(`script-src http://${name}:${port};`);
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

/** First line of the answer to a request for a web socket. */
async function upgradeStatus(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const lines = {
    ...{ Host: `127.0.0.1:${port}`, Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    ...{ 'Sec-WebSocket-Protocol': 'vite-hmr', Origin: `http://127.0.0.1:${port}` },
    ...headers,
  };
  const socket = connect(port, '127.0.0.1');
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString().split('\r\n')[0] as string;
}

test('opens the socket of updates to its own page with the token of this run, and to nothing else', async () => {
  const { apps } = JSON.parse((await ask(dev.url, '/dev/hot')).text);
  const { socket } = apps.built;
  const refused = 'HTTP/1.1 403 Forbidden';

  expect(await upgradeStatus(socket, {})).toBe('HTTP/1.1 101 Switching Protocols');
  expect(await upgradeStatus(socket.replace(/token=.*/, 'token=guess'), {})).toBe(refused);
  expect(await upgradeStatus(socket.replace(/\?.*/, ''), {})).toBe(refused);
  expect(await upgradeStatus(socket, { Origin: 'null' })).toBe(refused);
  expect(await upgradeStatus(socket, { Origin: 'https://evil.example' })).toBe(refused);
  expect(await upgradeStatus(socket, { Host: 'evil.example' })).toBe(refused);
  expect(await upgradeStatus(socket, { 'Sec-WebSocket-Protocol': 'vite-ping' })).toBe(refused);
  expect(await upgradeStatus('/', {})).toBe(refused);
  expect(apps.plain).toEqual({});
});

test("leads from a gadget's own address to the lab", async () => {
  const headers = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };
  const answer = await ask(dev.url, '/gantry/apps/plain/x/index.html', { headers });

  expect([answer.status, answer.headers.location]).toEqual([302, '/?app=plain']);
});

test('answers requests that no browser makes, and stays up', async () => {
  for (const path of ['/gantry/apps/%/', '/gantry/apps/%ff/x', '//', '/dev/nothing', '/%00']) {
    const { status } = await ask(dev.url, path, { headers: { 'Sec-Fetch-Dest': 'document' } });
    expect(status).toBeLessThan(500);
  }
  expect((await ask(dev.url, '/')).status).toBe(200);
});

test('says that a port is taken, or takes the next one where none was asked for', async () => {
  const folder = [folders.plain];
  await expect(startDevServer({ folders: folder, port })).rejects.toThrow(`Port ${port} is taken.`);
  await expect(startDevServer({ folders: folder, port: 70_000 })).rejects.toThrow('--port is a number');
  await expect(startDevServer({ folders: [join(folders.plain, 'none')], port: 0 })).rejects.toThrow(
    'There is no folder',
  );

  const usual = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    usual.once('error', () => resolve(false));
    usual.listen(4500, '127.0.0.1', () => resolve(true));
  });
  const second = await startDevServer({ folders: folder });
  expect(second.notices).toEqual([expect.stringMatching(/^Port 4500 is taken; this is 45\d\d\.$/)]);
  await second.close();
  if (isOurs) usual.close();
});

test('starts with an invalid gadget.json beside a valid one, and says what is wrong', async () => {
  const broken = await writeApps({
    broken: { ...plainApp, 'gadget.json': '{ "name": "Broken", "page": "nope.html" }' },
  });
  const { record, apps, close } = await startDevServer({ folders: [broken.folders.broken, folders.plain], port: 0 });
  await close();
  await broken.remove();
  expect(record.entries.filter(({ kind }) => kind === 'manifest')).toMatchObject([
    { app: 'broken', problem: expect.stringContaining('nope.html') },
  ]);
  expect(apps.map(({ id }) => id)).toEqual(['broken', 'plain']);
});

test('says at the start which files of stories have another suffix now', async () => {
  const file = join(folders.plain, 'cat.stories.mjs');
  writeFileSync(file, 'export const tame = {};');
  const { notices, close } = await startDevServer({ folders: [folders.plain], port: 0 });
  rmSync(file);
  await close();
  expect(notices).toEqual(['Stories have another suffix now: rename cat.stories.mjs to cat.gadget.mjs.']);
});

test('leaves nothing behind that would keep a process from ending', async () => {
  const script = `
    import { startDevServer } from '@gantry/dev';
    const dev = await startDevServer({ folders: ${JSON.stringify([folders.built, folders.plain])}, port: 0 });
    await fetch(dev.url + '/dev/labs', { method: 'POST', body: '{"scenario":{}}' });
    await fetch(dev.url + '/dev/events');
    await dev.close();
    console.log('closed');`;
  const child = spawn(process.execPath, ['--conditions=@gantry/source', '--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data));
  const [code] = await once(child, 'exit');

  expect([code, Buffer.concat(output).toString()]).toEqual([0, 'closed\n']);
});
