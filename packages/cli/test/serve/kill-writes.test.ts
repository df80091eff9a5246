import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallReply, Instance } from '@gantry/wire';
import { expect, onTestFinished, test } from 'vitest';
import { viewerKey } from '../../../server/test/viewer-token.ts';
import { gantry, type Process, serve } from '../real-site.ts';
import { sendAsPage } from './member-page.ts';

const world = {
  members: [{ id: '1', displayName: 'Ann' }],
  installs: [{ appId: 'journal', memberId: '1' }],
};
async function newSite(): Promise<NodeJS.ProcessEnv> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-kill-'));
  const env = { GANTRY_DATA: data, GANTRY_VIEWER_KEY: viewerKey };
  const app = join(data, 'journal');
  mkdirSync(app);
  const uses = ['appdata.update', 'activities.create'];
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Journal', page: 'index.html', uses }));
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Journal</title>');
  writeFileSync(join(data, 'world.json'), JSON.stringify(world));
  await gantry(['app', 'add', app, '--trusted'], env);
  await gantry(['import', join(data, 'world.json')], env);
  await gantry(['settings', 'set', 'minimumInterval', '0'], env);
  return env;
}

async function started(env: NodeJS.ProcessEnv): Promise<Process> {
  const process = await serve([], env);
  onTestFinished(() => void process.child.kill('SIGKILL'));
  return process;
}

/** Sends as a page does, which repeats what an overloaded server refused. */
async function send(process: Process, path: string, body: unknown): Promise<IncomingMessage> {
  for (;;) {
    const response = await sendAsPage(process, path, body);
    if (response.statusCode !== 503) return response;
    response.resume();
    await pause(1_000 * Number(response.headers['retry-after']));
  }
}

/**
 * Sends a post and a save as a page does, until each is answered, each under its id or without one.
 */
async function write(process: Process, title: string, hasId = true): Promise<readonly CallReply[]> {
  const [{ ok: gadget }] = JSON.parse(await text(await send(process, '/gantry/instances', [{ app: 'journal' }]))) as [
    { readonly ok: Instance },
  ];
  const calls = [
    { operation: 'activities.create', params: { activity: { title } } },
    { operation: 'appdata.update', params: { data: { [title]: 'kept' } } },
  ].map((call, index) => ({
    ...call,
    id: String(index),
    instance: gadget.instance,
    ...(hasId && { write: `${title}-${index}` }),
  }));
  const answer = await send(process, '/gantry/calls', { tokens: { [gadget.instance]: gadget.token }, calls });
  const lines = (await text(answer)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as CallReply);
}

function stored({ GANTRY_DATA: data = '' }: NodeJS.ProcessEnv): { posts: unknown[]; saves: unknown[] } {
  const db = new DatabaseSync(join(data, 'gantry.db'), { readOnly: true });
  try {
    const posts = db.prepare('select title from activity order by title').all();
    const saves = db.prepare('select key from app_data order by key').all();
    return { posts: posts.map(({ title }) => title), saves: saves.map(({ key }) => key) };
  } finally {
    db.close();
  }
}

/** Sends, and ends the process as soon as the post is in its database, before its response. */
async function killWhenStored(process: Process, env: NodeJS.ProcessEnv, title: string, hasId = true): Promise<void> {
  let end: string | undefined;
  const unheard = write(process, title, hasId)
    .then(JSON.stringify, String)
    .then((text) => {
      end = text;
    });
  while (!stored(env).posts.includes(title)) {
    if (end !== undefined) throw new Error(`Nothing was posted: ${end}`);
    await pause(1);
  }
  process.child.kill('SIGKILL');
  await Promise.all([once(process.child, 'exit'), unheard]);
}

test('a server killed between receiving and answering: after a restart the repeated write is there exactly once (ADR 21)', async () => {
  const env = await newSite();
  let process = await started(env);
  const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const [index, title] of titles.entries()) {
    if (index === 0) await killWhenStored(process, env, title);
    else {
      const unheard = write(process, title).catch(() => undefined);
      await pause(2 ** index); // from before the request to after its answer
      process.child.kill('SIGKILL');
      await Promise.all([once(process.child, 'exit'), unheard]);
    }
    process = await started(env);
    for (const reply of await write(process, title)) expect(reply).toHaveProperty('ok');
  }
  expect(stored(env)).toEqual({ posts: titles, saves: titles });
});

test('without an id the repeat of a post that was stored makes a second one (positive control)', async () => {
  const env = await newSite();
  await killWhenStored(await started(env), env, 'a', false);
  for (const reply of await write(await started(env), 'a', false)) expect(reply).toHaveProperty('ok');
  expect(stored(env)).toEqual({ posts: ['a', 'a'], saves: ['a'] });
});
