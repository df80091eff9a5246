import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@gantry/wire/runtime';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { addApp, createGantry, type Gantry, toNodeListener } from '../../src/index.ts';

/** A request with its session, as express-session makes it: read from the store once. */
type WithSession = IncomingMessage & { session?: { readonly member: string } };

let gantry: Gantry;
let port: number;
let sessions: Map<string, { readonly member: string }>;
/** Cookie and session of each request that `viewer` was asked about. */
let checks: { readonly cookie: string | null; readonly member: string | undefined }[];
let nowMs: number;
let tick: () => void;
beforeEach(async () => {
  const data = folderForTest();
  sessions = new Map(['ada', 'ben'].map((member) => [member, { member }]));
  checks = [];
  nowMs = Date.now();
  const ticks = new Set<() => void>();
  tick = () => {
    nowMs += 1_000;
    for (const each of ticks) each();
  };
  const server = createServer((incoming: WithSession, outgoing) => {
    const session = sessions.get(incoming.headers.cookie ?? '');
    if (session) incoming.session = { ...session };
    toNodeListener(gantry)(incoming, outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  gantry = await createGantry({
    data,
    url: `http://localhost:${port}`,
    log: silentLogger,
    now: () => nowMs,
    every(repeated) {
      const run = AsyncResource.bind(repeated); // keeps the context of its start, as setInterval does
      ticks.add(run);
      return () => ticks.delete(run);
    },
    viewer(web, incoming) {
      const { session } = incoming as WithSession;
      checks.push({ cookie: web.headers.get('cookie'), member: session?.member });
      return session?.member;
    },
  });
  await gantry.saveRecords(['ada', 'ben'].map((id) => ({ kind: 'member', id, displayName: id })));
  await addApp(gantry.stores, { id: 'notes', url: 'https://apps.example/notes', title: 'Notes' });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await gantry.close();
  });
});

function post(path: string, member: string, body: unknown): Promise<IncomingMessage> {
  const headers = {
    'Content-Type': 'application/json',
    'Gantry-Container': '1',
    Origin: `http://localhost:${port}`,
    Cookie: member,
  };
  const sent = request({ port, path, method: 'POST', headers: { ...headers, Host: `localhost:${port}` } });
  sent.end(JSON.stringify(body));
  return once(sent, 'response').then(([response]) => response);
}

async function textOf(response: IncomingMessage): Promise<string> {
  return (await response.setEncoding('utf8').toArray()).join('');
}

/** Opens a stream as a page of the member does. */
async function listen(member: string) {
  const [{ ok }] = JSON.parse(await textOf(await post('/gantry/instances', member, [{ app: 'notes' }])));
  const response = await post('/gantry/events', member, { tokens: { [ok.instance]: ok.token }, since: [ok.since] });
  const events = response.setEncoding('utf8')[Symbol.asyncIterator]();
  return {
    next: async (): Promise<string | undefined> => (await events.next()).value,
    reopen: async () =>
      textOf(await post('/gantry/events', member, { tokens: { [ok.instance]: ok.token }, since: [ok.since] })),
  };
}

test('each stream is rechecked for the request that opened it (security rule 32)', async () => {
  const streams = [await listen('ada'), await listen('ben')];
  const positions = await Promise.all(streams.map((stream) => stream.next()));
  expect(positions).toEqual([expect.stringMatching(/^id: /), expect.stringMatching(/^id: /)]);
  checks = [];
  for (let second = 0; second < 15; second++) tick();
  expect(await Promise.all(streams.map((stream) => stream.next()))).toEqual([':\n\n', ':\n\n']);
  expect(checks).toEqual(['ada', 'ben'].map((member) => ({ cookie: member, member })));
});

test('a stream ends within a minute, and its page, signed out in another tab, hears no more (security rule 32)', async () => {
  const stream = await listen('ada');
  await stream.next();
  sessions.delete('ada');
  checks = [];
  for (let second = 0; second < 15; second++) tick();
  expect(await stream.next()).toBe(':\n\n'); // control
  expect(checks[0]).toEqual({ cookie: 'ada', member: 'ada' });
  for (let second = 15; second < 60; second++) tick();
  let last: string | undefined;
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) last = text;
  expect(last).toContain('event: end\ndata: "expired"');
  expect(JSON.parse(await stream.reopen())).toMatchObject({ error: { data: { reason: 'VIEWER_CHANGED' } } });
});
