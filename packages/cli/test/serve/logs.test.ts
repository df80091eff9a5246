import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { consumerMark } from '../../../server/src/telemetry/request-log.ts';
import { signed, world } from '../../../server/test/running-site.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry } from '../running-site.ts';

const bin = fileURLToPath(new URL('../../bin/gantry.js', import.meta.url));

let data: string;
let server: ReturnType<typeof spawn>;
let url: string;
let logged: string;

async function serve(level: string): Promise<void> {
  const env = { ...process.env, GANTRY_LOG: level, GANTRY_METRICS_TOKEN: 'metrics-token-secret' };
  const args = ['--conditions=@gantry/source', bin, 'serve', '--port', '0', '--data', data];
  server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  logged = '';
  server.stderr?.on('data', (chunk) => {
    logged += chunk;
  });
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  url = line.replace('Gantry ready at ', '');
}

/** Everything that the server logged in its life. */
async function stopped(): Promise<string> {
  server.kill('SIGTERM');
  await once(server, 'close');
  return logged;
}

beforeEach(async () => {
  data = folderForTest();
  await writeFile(join(data, 'world.json'), JSON.stringify(world));
  await gantry(data, 'import', join(data, 'world.json'));
});

test('level info logs one line for each request: id, operation, status, time and a mark of its key', async () => {
  await serve('info');
  const path = `${url}/social/rest/people/@me/@friends`;
  const answer = await fetch(path, signed(path));
  await answer.text();
  await (await fetch(`${url}/nothing?secret=query`)).text();
  const lines = (await stopped())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      msg: 'answered',
      request: answer.headers.get('x-request-id'),
      method: 'GET',
      area: 'rest',
      operation: 'people.getFriends',
      status: 200,
      ms: expect.any(Number),
      consumer: consumerMark('notes-key'),
    },
    { msg: 'answered', method: 'GET', area: 'site', status: 404 },
  ]);
});

test('unless it is asked to, a server says nothing of requests', async () => {
  await serve('warn');
  await (await fetch(`${url}/healthz`)).text();
  expect(await stopped()).toBe('');
});

test('a data folder that is open to others is one warning at the start (security rule 30)', async () => {
  await chmod(data, 0o755);
  await serve('warn');
  const lines = (await stopped()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    `${data} is open to other users of this machine (mode 755): run chmod 700 ${data}`,
  ]);
});

test('whatever the level, no secret, key, nonce, signature, query value or AppData is logged (security rule 8)', async () => {
  const { id, key } = JSON.parse((await gantry(data, 'keys', 'add', '--json')).out);
  await serve('trace');
  const secrets: string[] = ['notes-secret', 'member-secret', 'notes-key', 'member-key', 'metrics-token-secret'];
  const keys = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'));
  secrets.push(keys.secretKey, keys.tokenKeys[0].key);
  const send = async (path: string, options: Parameters<typeof signed>[1] = {}) => {
    const init = signed(url + path, options);
    const { Authorization = '' } = init.headers as Record<string, string>;
    for (const name of ['oauth_nonce', 'oauth_signature']) secrets.push(value(Authorization, name));
    return (await fetch(url + path, init)).text();
  };
  const appData = { 'private-key-name': 'private-value-of-a-member' };
  secrets.push(
    'private-key-name',
    'private-value-of-a-member',
    'query-value',
    'guessed-secret',
    'made-up-key',
    'Private title',
  );
  await send('/social/rest/people/@me/@self?fields=query-value');
  await send('/social/rest/appdata/@me/@self/@app', { method: 'POST', body: appData });
  await send('/social/rest/appdata/@me/@self/@app?fields=private-key-name');
  await send('/social/rest/activities/@me/@self', { method: 'POST', body: { title: 'Private title' } });
  await send('/social/rest/people/@me/@self', { key: 'made-up-key', secret: 'guessed-secret' });
  await send('/social/rest/people/@me/@self', { key: 'member-key', secret: 'member-secret', as: '2' });
  await send('/social/rpc', { method: 'POST', body: { method: 'appdata.update', params: { data: appData } } });
  await send('/oauth/request_token?oauth_callback=oob', { key: 'member-key', secret: 'member-secret' });
  await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer metrics-token-secret' } });
  await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer guessed-secret' } });
  const records = { method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } };
  expect((await fetch(`${url}/gantry/admin/records`, { ...records, body: '[]' })).status).toBe(200);
  await fetch(`${url}/gantry/admin/records?access_token=${key}`, { method: 'POST', body: '[]' });
  secrets.push(id, key);
  await fetch(`${url}/oauth/authorize?oauth_token=query-value`);
  await fetch(`${url}/gantry/calls`, { method: 'POST', body: 'private-value-of-a-member' });
  const text = await stopped();
  expect(text.match(/"msg":"answered"/g)?.length).toBeGreaterThanOrEqual(12); // the control: these were logged
  expect(secrets.filter((secret) => secret !== '' && text.includes(secret))).toEqual([]);
});

function value(authorization: string, name: string): string {
  return decodeURIComponent(new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1] ?? '');
}
