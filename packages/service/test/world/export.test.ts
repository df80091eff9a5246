import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportWorld, importLines } from '@gantry/service';
import { type Database, openSqlite, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { openSite, type Site, secretKey, village } from '../site.ts';

const folder = folderForFile();
let files = 0;

/** Opened as files: a snapshot needs a second connection. */
const stores = databases.map(({ name, open }) => ({
  name,
  open: name === 'SQLite' ? async () => openSqlite({ file: join(folder, `${++files}.db`) }) : open,
}));

async function exported(db: Database, { write, ...more }: Partial<Parameters<typeof exportWorld>[1]> = {}) {
  let text = '';
  const report = await exportWorld(db, {
    async write(lines) {
      text += lines;
      await write?.(lines);
    },
    ...more,
  });
  const lines = text.split('\n').slice(0, -1);
  return { text, report, records: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

async function imported(site: Site, text: string): Promise<void> {
  const path = join(folder, `${++files}.jsonl`);
  await writeFile(path, text);
  await importLines(site.db, path, { mediaFolder: site.mediaFolder, secretKey });
}

const world = {
  ...village,
  site: { name: 'Village', timeZone: 'Europe/London', settings: { pageSize: 7, albums: true } },
  members: [
    ...village.members,
    { id: 'q', displayName: '"Quo\\te"\u2028 \u{1F41F}', aboutMe: 'two\nlines', admin: true, password: 'long enough' },
  ],
  installs: [...village.installs, { appId: 'photos', memberId: '2', visibility: 'private' }],
  activities: [
    { id: '8', userId: '2', title: 't', postedTime: '2026-05-01T09:00:00.700+02:00', appId: 'photos' },
    { id: '9', userId: '5', title: 'before anybody', url: '/x?y=1', postedTime: '1930-05-01T09:00:00Z' },
    { id: '10', userId: '10', title: '\u0000 and \ud83d\ude00', postedTime: '2026-05-01T09:00:00Z' },
  ],
  appData: [
    { appId: 'notes', memberId: '1', data: { a: '1', b: '', ['__proto__']: 'p' } },
    { appId: 'notes', memberId: '5', data: { a: 'without the app' } },
  ],
  albums: [
    { id: 'a', ownerId: '2', title: 'A', description: 'D', visibility: 'friends' },
    { id: 'b', ownerId: '2', title: '' },
  ],
  mediaItems: [
    { id: 'm', albumId: 'a', url: '/m.jpg', created: '2026-10-25 01:30:00', lastUpdated: '2026-10-26 01:30:00' },
    {
      id: 'n',
      albumId: 'b',
      url: 'https://photos.example/n.jpg',
      thumbnailUrl: '/n',
      fileSize: '77',
      visibility: 'private',
    },
  ],
};

const reads = [
  '/people/@me/@self?fields=@all',
  '/people/2/@friends?fields=@all',
  '/people/@me/@friends?filterBy=hasApp',
  '/activities/2/@self',
  '/activities/@me/@friends',
  '/appData/@me/@self/@app',
  '/appData/@me/@friends/@app',
  '/albums/2/@self',
  '/mediaitems/2/@self/a',
  '/mediaitems/2/@self/b',
];

test('every table is read along an index, without sorting (architecture: storage)', async () => {
  const [store] = stores;
  const { db } = await openSite((store as (typeof stores)[number]).open, world);
  const plans: string[] = [];
  const watched: Database = {
    ...db,
    snapshot: (work) =>
      db.snapshot((query) =>
        work(async (statement) => {
          const plan = await query<{ detail: string }>(sql`explain query plan ${statement}`);
          plans.push(...plan.map(({ detail }) => detail));
          return query(statement);
        }),
      ),
  };
  await exported(watched);
  const slow = /^SCAN (?!\w+ USING (COVERING )?INDEX|CONSTANT)|TEMP B-TREE/;
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter((line) => slow.test(line))).toEqual(['SCAN friendship']); // counted once, for the progress
});

describe.each(stores)('export on $name', ({ open }) => {
  test('import of an export into an empty site gives the same answers, and the same export (contract §9)', async () => {
    const site = await openSite(open, world);
    await site.db.query(sql`update member_app set installed = 0 where member_id = '2' and app_id = 'photos'`);
    const copy = await openSite(open);
    const { text, report } = await exported(site.db, { secretKey });
    expect(report).toMatchObject({ consumersLeftOut: 0, imagesLeftOut: 0 });
    await imported(copy, text);
    expect((await exported(copy.db, { secretKey })).text).toBe(text);
    for (const as of ['1', '2', '3', '4', '5']) {
      for (const read of reads)
        expect((await copy.get(read, { as })).text, read).toBe((await site.get(read, { as })).text);
    }
  });

  test('an export says how members have apps, so that an import widens no key and brings nothing back', async () => {
    const site = await openSite(open, world);
    const at = (ms: number) => new Date(site.nowMs + ms).toISOString();
    const allowed = { appId: 'notes', memberId: '5', changedAt: at(1), permissions: ['people'] };
    const withdrawn = { appId: 'notes', memberId: '2', removed: true, changedAt: at(2) };
    await site.add({ installs: [allowed, withdrawn] });
    const { text, records } = await exported(site.db, { secretKey });
    for (const install of [allowed, withdrawn]) expect(records).toContainEqual({ kind: 'install', ...install });
    const copy = await openSite(open);
    await imported(copy, text);
    await copy.add({ installs: [{ appId: 'notes', memberId: '2' }] }); // repeats an earlier record
    const ask = async (as: string, path: string) => (await copy.get(path, { as, key: 'notes-app' })).status;
    expect(await ask('5', '/people/@me/@self')).toBe(200);
    expect(await ask('5', '/albums/@me/@self')).toBe(403);
    expect(await ask('2', '/people/@me/@self')).toBe(401);
  });

  test('secrets and passwords are left out unless they are asked for, and counted (security rule 8)', async () => {
    const site = await openSite(open, world);
    const { text, report, records } = await exported(site.db);
    expect(report.consumersLeftOut).toBe(world.consumers.length);
    expect(text).not.toMatch(/secret|scrypt|long enough/);
    expect(records.filter(({ kind }) => kind === 'consumer')).toEqual([]);
    const whole = await exported(site.db, { secretKey });
    expect(whole.records.find(({ key }) => key === 'notes-app')).toEqual({
      kind: 'consumer',
      key: 'notes-app',
      secret: 'secret',
      consumerKind: 'app',
      appId: 'notes',
    });
    expect(whole.records.find(({ id }) => id === 'q')?.passwordHash).toMatch(/^scrypt\$/);
  });

  test('images of the media folder are copied beside it, or said to be missing', async () => {
    const site = await openSite(open, village);
    const mediaItems = [{ id: 'm', albumId: 'a', file: 'red.jpg' }];
    await site.add({ albums: [{ id: 'a', ownerId: '1', title: 'A' }], mediaItems }, await imageFolder());
    const bare = await exported(site.db);
    expect(bare.report.imagesLeftOut).toBe(1);
    const copied: string[] = [];
    const copyImage = async (file: string) => {
      copied.push(file);
      return `media/${file}`;
    };
    const { records, report } = await exported(site.db, { copyImage });
    expect(report.imagesLeftOut).toBe(0);
    const [item] = records.filter(({ kind }) => kind === 'mediaItem');
    expect(item).toEqual({
      kind: 'mediaItem',
      id: 'm',
      albumId: 'a',
      created: '2026-05-20T12:00:00Z',
      lastUpdated: '2026-05-20T12:00:00Z',
      file: `media/${copied[0]}`,
    });
  });

  test('every row is there once, however many pages it takes, and is of one moment', async () => {
    const many = Array.from({ length: 2_300 }, (_, index) => String(index + 1));
    const late = { id: '1', userId: '1', title: 't', postedTime: '2026-05-01T09:00:00Z' };
    const site = await openSite(open, {
      members: many.map((id) => ({ id, displayName: `M${id}`, aboutMe: 'x'.repeat(1_000) })),
      friendships: many.slice(1).map((id) => ['1', id]),
    });
    let writes = 0;
    const { records } = await exported(site.db, {
      async write() {
        if (writes++ === 0) await site.add({ members: [{ id: '23', displayName: 'Late' }], activities: [late] });
      },
    });
    expect(writes).toBeGreaterThan(1);
    expect(records.filter(({ kind }) => kind === 'activity')).toEqual([]);
    expect(records.filter(({ kind }) => kind === 'member').map(({ id }) => id)).toEqual(many.toSorted());
    const pairs = records.filter(({ kind }) => kind === 'friendship').map(({ members }) => members);
    expect(pairs).toHaveLength(2_299);
    expect(new Set(pairs.map(String)).size).toBe(2_299);
  });
});
