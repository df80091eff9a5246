import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addRegistryKey, findKnownApp } from '@gantry/proxy';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { addApp, createSiteProxy, listRegistered } from '../../src/index.ts';
import { clientOf, listed, quiz, siteUrl } from './delivery-site.ts';

async function openProxy() {
  const data = folderForTest();
  const gantry = await createSiteProxy({
    ...{ data, url: siteUrl, upstreamUrl: `${siteUrl}/social/rest`, mediaOrigins: [], honoursKeys: false },
    ...{ viewerKey: new Uint8Array(32), log: pino({ level: 'silent' }) },
  });
  onTestFinished(() => gantry.close());
  const fetch = (path: string, init?: RequestInit) => gantry.fetch(new Request(siteUrl + path, init));
  const client = async (may: 'live' | 'approval') =>
    clientOf({ fetch }, await addRegistryKey(gantry.stores.db, { apps: ['quiz'], may }));
  return { data, gantry, client };
}

test('behind gantry proxy a new app is refused, with the command that adds it (decision 89)', async () => {
  const { gantry, client } = await openProxy();
  for (const may of ['live', 'approval'] as const) {
    const pushed = await (await client(may)).push('quiz', quiz());
    expect([may, pushed.status, pushed.json.error?.message]).toMatchObject([
      may,
      409,
      expect.stringContaining('gantry app add'),
    ]);
  }
  expect(await listRegistered(gantry.stores)).toEqual([]);
});

test('behind gantry proxy an app that was added is updated, and keeps the key that the site issued', async () => {
  const { data, gantry, client } = await openProxy();
  const folder = await mkdtemp(join(data, 'app-'));
  for (const [path, text] of Object.entries(quiz())) await writeFile(join(folder, path), text);
  await addApp(gantry.stores, { id: 'quiz', folder, consumer: { key: 'quiz-key', secret: 'secret' } });
  const [owner, author] = [await client('live'), await client('approval')];
  expect((await owner.push('quiz', quiz({ version: '1.1.0' }))).json).toMatchObject({ done: 'live', label: '1.1.0' });
  const waiting = (await author.push('quiz', quiz({ version: '1.2.0' }))).json;
  expect(waiting.state).toBe('waiting');
  const approved = await owner.ask('POST', `/apps/quiz/versions/${waiting.version}/approve`, {});
  expect([approved.status, approved.json]).toMatchObject([200, { state: 'live' }]);
  expect((await owner.ask('POST', '/apps/quiz/pause', {})).json).toMatchObject({ state: 'paused' });
  expect((await owner.ask('POST', '/apps/quiz/rollback', {})).status).toBe(200);
  expect(await findKnownApp(gantry.stores.db, 'quiz')).toMatchObject({ consumerKey: 'quiz-key', isPaused: true });
  // The site has the members: their ids are believed.
  const { list } = listed(quiz({ version: '1.2.0' }));
  expect((await owner.ask('POST', `/apps/quiz/versions/${list.digest}/preview`, { members: ['anybody'] })).status).toBe(
    200,
  );
});
