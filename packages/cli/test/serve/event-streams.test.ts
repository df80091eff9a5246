import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signRequest } from '@gantry/oauth';
import type { Instance } from '@gantry/wire';
import { describe, expect, onTestFinished, test } from 'vitest';
import { viewerKey } from '../../../server/test/viewer-token.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { gantry, type Process, sendSigned, serve } from '../real-site.ts';
import { sendAsPage, url } from './member-page.ts';

const consumer = { key: 'member-2', secret: 'secret' };
const admin = { key: 'admin', secret: 'secret' };
const world = {
  members: ['1', '2', '3'].map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: [['1', '2']],
  consumers: [
    { ...consumer, kind: 'member', memberId: '2' },
    { ...admin, kind: 'admin', anyMember: true },
  ],
};
const kinds = [
  { name: 'SQLite, two workers', prepare: async () => ({}), processes: [['--workers', '2']] },
  {
    name: 'PostgreSQL, two processes',
    async prepare() {
      const schema = await createSchema();
      onTestFinished(() => schema.remove());
      return { GANTRY_DATABASE: schema.url };
    },
    processes: [[], []],
  },
] as const;

async function newSite(
  { prepare, processes }: (typeof kinds)[number],
  options: { readonly isService?: boolean } = {},
): Promise<readonly Process[]> {
  const env = {
    GANTRY_DATA: mkdtempSync(join(tmpdir(), 'gantry-events-')),
    GANTRY_VIEWER_KEY: viewerKey,
    GANTRY_SIGN_IN_URL: `${url}/sign-in`,
    ...(await prepare()),
  };
  const app = join(env.GANTRY_DATA, 'board');
  mkdirSync(app);
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html' }));
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
  writeFileSync(join(env.GANTRY_DATA, 'world.json'), JSON.stringify(world));
  await gantry(['import', join(env.GANTRY_DATA, 'world.json')], env);
  await gantry(['app', 'add', app, '--id', 'board'], env);
  const started = await Promise.all(processes.map((args) => serve(args, env, options)));
  for (const process of started) onTestFinished(async () => void (await process.stop()));
  return started;
}

const post = (process: Process, nonce: string) =>
  sendSigned(process.port, {
    ...{ method: 'POST', path: '/activities/@me/@self', consumer, as: '2', nonce },
    body: { title: nonce },
  });

describe.each(kinds)('events on $name', (kind) => {
  test('a friend’s write through another process is heard, and SIGTERM ends the streams in order (security rule 21)', async () => {
    const site = await newSite(kind);
    const [first] = site as [Process];
    const last = site.at(-1) as Process;
    const streams = [];
    for (let index = 0; index < 6; index++) streams.push(await listen(first)); // enough that each of two workers has some
    expect(await post(last, 'hello')).toBe(200);
    await Promise.all(streams.map((stream) => stream.until('"topic":"activities","member":"2"')));
    expect(await first.stop()).toBe(0);
    for (const stream of streams) expect(await stream.end).toContain('event: end\ndata: "later"\n\n');
  });
});

test('a member who is removed through one worker is unknown to all (security rule 37)', async () => {
  const [site] = (await newSite(kinds[0])) as [Process];
  const streams = [];
  for (let index = 0; index < 6; index++) streams.push(await listen(site)); // enough that each of two workers has some
  const body = JSON.stringify([{ kind: 'member', id: '1', deleted: true }]);
  expect(await sendRecords(site, body)).toBe(200);
  for (const stream of streams) expect(await stream.end).toContain('event: end\ndata: "expired"\n\n');
  for (let index = 0; index < 6; index++) {
    const answer = await sendAsPage(site, '/gantry/instances', [{ app: 'board' }]);
    expect([answer.statusCode, await text(answer)]).toEqual([403, expect.stringContaining('NO_MEMBER')]);
  }
});

test('a reload ends streams in order, and the next ones are heard by new workers', async () => {
  const [service] = (await newSite(kinds[0], { isService: true })) as [Process];
  const streams = [];
  for (let index = 0; index < 6; index++) streams.push(await listen(service));
  service.child.kill('SIGHUP');
  for (const stream of streams) expect(await stream.end).toContain('event: end\ndata: "later"\n\n');
  const again = await listen(service);
  expect(await post(service, 'after')).toBe(200);
  await again.until('"topic":"activities","member":"2"');
});

/** Listens to the events of a page of member 1, on its own connection. */
async function listen(process: Process) {
  const answer = await sendAsPage(process, '/gantry/instances', [{ app: 'board' }]);
  const [{ ok: gadget }] = JSON.parse(await text(answer)) as [{ readonly ok: Instance }];
  const body = { tokens: { [gadget.instance]: gadget.token }, since: [gadget.since] };
  const stream = await sendAsPage(process, '/gantry/events', body);
  expect(stream.statusCode).toBe(200);
  let heard = '';
  stream.on('data', (chunk) => {
    heard += chunk;
  });
  return {
    async until(part: string): Promise<void> {
      while (!heard.includes(part)) await once(stream, 'data');
    },
    end: once(stream, 'end').then(() => heard),
  };
}

/** Sends records as the site's own software does. */
async function sendRecords({ port }: Process, body: string): Promise<number | undefined> {
  const path = '/gantry/admin/records';
  const signing = { method: 'POST', url: url + path, consumer: admin, body, nonce: 'records' };
  const { authorization } = signRequest({ ...signing, timestamp: Math.floor(Date.now() / 1000) });
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path, agent: false },
    headers: { Host: new URL(url).host, Authorization: authorization, 'Content-Type': 'application/json' },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
