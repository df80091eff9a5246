import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rotateTokenKeys } from '@gantry/server';
import type { Instance } from '@gantry/wire';
import { expect, onTestFinished, test } from 'vitest';
import { knownMs } from '../../../server/src/data/key-ring.ts';
import { viewerKey } from '../../../server/test/viewer-token.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry, type Process, serve } from '../real-site.ts';
import { sendAsPage, url } from './member-page.ts';

test('machines share the database and a master key only: one rotates and reseals, the others follow or say so (decision 96)', async () => {
  const schema = await createSchema();
  onTestFinished(() => schema.remove());
  const folder = folderForTest();
  const app = join(folder, 'board');
  mkdirSync(app);
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html' }));
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ members: [{ id: '1', displayName: 'Ada' }] }));
  const [masterKey, newMasterKey] = [join(folder, 'master-key'), join(folder, 'new-master-key')];
  writeFileSync(masterKey, `${'m'.repeat(40)}\n`);
  writeFileSync(newMasterKey, `${'n'.repeat(40)}\n`);
  writeFileSync(join(folder, 'viewer-key'), `${viewerKey}\n`);
  const machine = (name: string, key = masterKey) => ({
    GANTRY_DATA: join(folder, name),
    GANTRY_DATABASE: schema.url,
    GANTRY_MASTER_KEY_FILE: key,
    GANTRY_VIEWER_KEY_FILE: join(folder, 'viewer-key'),
    GANTRY_SIGN_IN_URL: `${url}/sign-in`,
  });
  const start = async (...given: Parameters<typeof machine>) => {
    const started = await serve([], machine(...given));
    onTestFinished(async () => void (await started.stop()));
    return started;
  };

  await gantry(['import', join(folder, 'world.json')], machine('admin'));
  await gantry(['app', 'add', app, '--id', 'board'], machine('admin'));
  const [one, two] = await Promise.all([start('one'), start('two')]);
  const old = await open(one);
  expect([keyOf(old), await listen(two, old)]).toEqual(['1', 200]);

  await gantry(['keys', 'rotate'], machine('admin'));
  await expect.poll(async () => keyOf(await open(one))).toBe('2');
  const rotated = await open(one);
  expect([await listen(two, rotated), await listen(one, old), await listen(two, old)]).toEqual([200, 200, 200]);
  for (const name of ['one', 'two']) expect(readdirSync(join(folder, name))).toEqual(['cache', 'media']);

  await gantry(['keys', 'reseal'], { ...machine('admin'), GANTRY_NEW_MASTER_KEY_FILE: newMasterKey });
  const { GANTRY_DATA: data } = machine('admin');
  const place = { data, database: schema.url, masterKey: Buffer.from('n'.repeat(40)) };
  await rotateTokenKeys(place, Date.now() - knownMs); // as if it were a while ago
  const four = await start('four', newMasterKey);
  const resealed = await open(four);
  expect([keyOf(resealed), await listen(four, old), await listen(four, rotated)]).toEqual(['3', 200, 200]);
  expect([await listen(two, old), await listen(two, rotated)]).toEqual([200, 200]); // it goes on with what it has
  await expect
    .poll(async () => [await listen(two, resealed), two.errors()])
    .toEqual([401, expect.stringContaining('GANTRY_MASTER_KEY does not open the keys')]);
  await expect(serve([], machine('five'))).rejects.toThrow('GANTRY_MASTER_KEY does not open the keys');
  for (const each of [one, two, four]) expect(each.errors()).not.toMatch(/m{40}|n{40}/);
});

/** Opens a gadget on a page of member 1. */
async function open(process: Process): Promise<Instance> {
  const answer = await sendAsPage(process, '/gantry/instances', [{ app: 'board' }]);
  const [{ ok }] = JSON.parse(await text(answer)) as [{ readonly ok: Instance }];
  return ok;
}

/** Returns the id of the key that signed an instance's token. */
function keyOf({ token }: Instance): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

/** Opens a stream of events with an instance's token, and resolves with the status. */
async function listen(process: Process, { instance, token, since }: Instance): Promise<number | undefined> {
  const stream = await sendAsPage(process, '/gantry/events', { tokens: { [instance]: token }, since: [since] });
  stream.destroy();
  return stream.statusCode;
}
