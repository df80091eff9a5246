import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAudit } from '@gantry/proxy';
import { sql } from '@gantry/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import {
  addApp,
  dropApp,
  listHistory,
  openStores,
  readFacts,
  rollbackApp,
  type Stores,
  setPaused,
} from '../../src/index.ts';

const databases = [
  { name: 'SQLite', open: async () => undefined },
  { name: 'PostgreSQL', open: createSchema },
] as const;

describe.each(databases)('apps of a site on $name', ({ open }) => {
  let folder: string;
  let stores: Stores;
  let close: () => Promise<unknown>;
  let nowMs = 0;
  const now = () => nowMs++;

  beforeEach(async () => {
    nowMs = Date.UTC(2026, 4, 1);
    folder = mkdtempSync(join(tmpdir(), 'gantry-add-app-'));
    const schema = await open();
    stores = await openStores({ data: folder, database: schema?.url ?? ':memory:' });
    close = async () => {
      await stores.db.close();
      await schema?.remove();
      rmSync(folder, { recursive: true });
    };
  });
  afterEach(() => close());

  /** Writes the folder of an app of one page. */
  function app(name: string, manifest: object = {}): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'gadget.json'), JSON.stringify({ name: 'Quiz', page: 'index.html', ...manifest }));
    writeFileSync(join(path, 'index.html'), `<!doctype html><title>${name}</title>`);
    return path;
  }
  const counts = async () => {
    const [row] = await stores.db.query(sql`
      select (select count(*) from app_versions) as versions, (select count(*) from app_registrations) as apps,
        (select count(*) from consumer) as keys`);
    return row;
  };
  const audit = async () => (await listAudit(stores.db)).map(({ action, outcome, actor }) => [action, outcome, actor]);

  test('code of the site is the maker, unless it names one', async () => {
    await addApp(stores, { id: 'quiz', folder: app('quiz'), now });
    await setPaused(stores, 'quiz', true, { now, by: 'Ada' });
    await dropApp(stores, 'quiz', { now });
    expect(await audit()).toEqual([
      ['remove', 'done', 'server'],
      ['pause', 'done', 'Ada'],
      ['live', 'done', 'server'],
      ['register', 'done', 'server'],
      ['store', 'done', 'server'],
    ]);
  });

  test('what cannot be a version leaves nothing behind, and a refusal is in the audit', async () => {
    const refused = (manifest: object) => addApp(stores, { id: 'quiz', folder: app('quiz', manifest), now });
    await expect(refused({ page: 'none.html' })).rejects.toThrow(/none\.html, which is missing in/);
    expect(await audit()).toEqual([]); // nothing was asked of the site
    await expect(addApp(stores, { id: 'dist', folder: app('quiz'), now })).rejects.toThrow(
      /the name of a build folder/,
    );
    expect(await audit()).toEqual([['add', 'refused', 'server']]);
    expect(await counts()).toEqual({ versions: 0, apps: 0, keys: 0 });
  });

  test('of two machines that update an app at once one is live in the end, and it is whole', async () => {
    await addApp(stores, { id: 'quiz', folder: app('quiz'), now });
    const folders = ['one', 'two', 'three', 'four'].map((name) => app(name));
    const done = await Promise.allSettled(
      folders.map((path) => addApp(stores, { id: 'quiz', folder: path, mode: 'update', now })),
    );
    const conflicts = done.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
    expect(conflicts.filter((code) => code !== 'CONFLICT')).toEqual([]);
    expect(conflicts.length).toBeLessThan(folders.length);
    const history = (await listHistory(stores, 'quiz')) ?? [];
    const [live, ...others] = history.filter(({ isLive }) => isLive);
    expect(others).toEqual([]);
    const facts = await readFacts(stores, 'quiz');
    expect(facts?.source).toMatchObject({ kind: 'stored', version: live?.digest });
    expect(facts?.bytes).toBe(live?.bytes);
    expect(await counts()).toMatchObject({ apps: 1, keys: 1 });
  });

  test('a roll-back keeps the name of the live version where consumers are listed, and an update that of the new one', async () => {
    const title = async () =>
      (await stores.db.query<{ title: string }>(sql`select title from app where id = 'quiz'`))[0]?.title;
    await addApp(stores, { id: 'quiz', folder: app('quiz', { name: 'Old' }), now });
    await addApp(stores, { id: 'quiz', folder: app('quiz', { name: 'New' }), mode: 'update', now });
    expect(await title()).toBe('New');
    await rollbackApp(stores, 'quiz', { now });
    expect(await title()).toBe('Old');
  });

  test('a removed app that comes back has its versions, and a key of its own again', async () => {
    await addApp(stores, { id: 'quiz', folder: app('quiz', { version: '1.0.0' }), now });
    const before = await readFacts(stores, 'quiz');
    await dropApp(stores, 'quiz', { now });
    expect(await listHistory(stores, 'quiz')).toBeUndefined();
    await expect(rollbackApp(stores, 'quiz', { now })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await addApp(stores, { id: 'quiz', folder: app('quiz', { version: '1.1.0' }), mode: 'update', now });
    const after = await readFacts(stores, 'quiz');
    expect(after?.registration).toBe(before?.registration);
    expect(after?.consumerKey).not.toBe(before?.consumerKey);
    expect((await listHistory(stores, 'quiz'))?.map(({ manifest }) => manifest.version)).toEqual(['1.1.0', '1.0.0']);
  });

  test('another app under the id has none of the versions of the one before (security rule 29)', async () => {
    const { version } = await addApp(stores, { id: 'quiz', folder: app('quiz', { version: '1.0.0' }), now });
    await addApp(stores, { id: 'quiz', folder: app('other'), mode: 'replace', now });
    expect(await listHistory(stores, 'quiz')).toHaveLength(1);
    const back = rollbackApp(stores, 'quiz', { version: version?.digest, now });
    await expect(back).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
