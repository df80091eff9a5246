import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importLines, isImporting } from '@gantry/service';
import { type Database, openSqlite, StoreError, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { createKnownMembers } from '../../src/world/known-members.ts';
import { type LineRecord, recordOfLine } from '../../src/world/line-record.ts';
import { bulkDatabases, databases } from '../databases.ts';
import { ids, openSite, type Site, secretKey } from '../site.ts';

const folder = folderForFile();
let files = 0;

async function write(lines: readonly (object | string)[]): Promise<string> {
  const path = join(folder, `${++files}.jsonl`);
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  await utimes(path, 1, files); // each file gets its own time
  return path;
}

function load({ db, mediaFolder }: Pick<Site, 'db' | 'mediaFolder'>, path: string, more = {}) {
  return importLines(db, path, { mediaFolder, secretKey, ...more });
}

const member = (id: string, more = {}) => ({ kind: 'member', id, displayName: `M${id}`, ...more });
const friendship = (...members: string[]) => ({ kind: 'friendship', members });
const many = (count: number) => Array.from({ length: count }, (_, index) => member(String(index + 1)));

/** Records that make a file a large one. */
const pads = new Array<object>(450).fill(member('pad', { aboutMe: 'x'.repeat(40_000) }));

async function count(db: Database, table: 'member' | 'friendship'): Promise<number> {
  const tables = { member: sql`member`, friendship: sql`friendship` };
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from ${tables[table]}`);
  return Number(row?.count);
}

/** Returns a database that fails at the given transaction, as if the process died. */
function dying(db: Database, atBatch: number): Database {
  let batches = 0;
  return {
    ...db,
    batch(statements) {
      batches++;
      if (batches >= atBatch) throw new StoreError('unavailable', 'killed');
      return db.batch(statements);
    },
  };
}

describe.each(databases)('JSON Lines on $name', ({ open }) => {
  test('every kind of record is stored (contract §9)', async () => {
    const site = await openSite(open);
    const path = await write([
      { kind: 'site', name: 'Harbour', settings: { pageSize: 50 } },
      { kind: 'app', id: 'notes', title: 'Notes' },
      ...many(3),
      friendship('1', '2'),
      friendship('3', '1'),
      '',
      { kind: 'block', members: ['3', '1'] },
      {
        kind: 'consumer',
        key: 'notes-container',
        secret: 'secret',
        consumerKind: 'app',
        appId: 'notes',
        container: true,
      },
      { kind: 'install', appId: 'notes', memberId: '1' },
      { kind: 'appData', appId: 'notes', memberId: '1', data: { k: 'v' } },
      { kind: 'activity', id: '8', userId: '2', title: 'sings', postedTime: '2026-05-01T09:00:00Z' },
      { kind: 'album', id: 'a', ownerId: '2', title: 'A' },
      { kind: 'mediaItem', id: 'i', albumId: 'a', url: '/i.jpg' },
    ]);
    expect(await load(site, path)).toEqual({ records: 14, notes: [] });
    expect((await site.get('/people/@me/@friends')).json).toMatchObject({ totalResults: 1, itemsPerPage: 50 });
    expect(ids(await site.get('/people/1/@friends', { as: '2' }))).toEqual(['2', '3']);
    expect((await site.get('/appData/@me/@self/@app')).json.entry).toEqual({ 1: { k: 'v' } });
    expect(ids(await site.get('/activities/@me/@friends'))).toEqual(['8']);
    expect(ids(await site.get('/mediaitems/2/@self/a'))).toEqual(['i']);
    expect(await isImporting(site.db)).toBe(false);
  });

  const bad: readonly (readonly [object | string, string])[] = [
    ['{"kind":"member",', 'Line 3: it is not JSON: '],
    ['7', 'Line 3: The record must be an object.'],
    [{ id: '7' }, 'Line 3: The kind of the record must be one of site, member, friendship, '],
    [{ kind: 'constructor' }, 'Line 3: The kind of the record must be one of '],
    [{ kind: 'member', id: '7' }, 'Line 3: member.displayName is missing.'],
    [friendship('1', '1'), 'Line 3: friendship.members must be of two different members.'],
    [friendship('1', '404'), 'Line 3: friendship.members[1] names a member that does not exist: "404".'],
    [
      { ...friendship('1', '2'), since: 2020 },
      'Line 3: friendship.since is not known: the members are members, deleted.',
    ],
    [{ kind: 'block', members: ['1'] }, 'Line 3: block.members[1] must be text.'],
    [{ kind: 'member', id: '7', deleted: false }, 'Line 3: member.deleted must be true.'],
    [
      { kind: 'activity', id: '8', userId: '9', title: 't', postedTime: '2026-05-01T09:00:00Z' },
      'Line 3: activity.userId names a member that does not exist: "9".',
    ],
    [{ kind: 'mediaItem', id: 'm', albumId: 'a', file: 'none.jpg' }, 'Line 3: mediaItem.file must be a JPEG'],
    [
      { kind: 'install', appId: 'chess', memberId: '1' },
      'Line 3: install.appId names an app that does not exist: "chess".',
    ],
  ];

  test.each(bad)('%j is refused by its line (contract §9)', async (line, message) => {
    const site = await openSite(open);
    await expect(load(site, await write([...many(2), line, member('3')]))).rejects.toThrow(message);
  });

  test('AppData beyond its limit is refused with its line number (contract §9)', async () => {
    const site = await openSite(open);
    const data = (key: string) => ({
      kind: 'appData',
      appId: 'notes',
      memberId: '1',
      data: { [key]: 'x'.repeat(60_000) },
    });
    const path = await write([{ kind: 'app', id: 'notes', title: 'N' }, member('1'), data('a'), data('b')]);
    await expect(load(site, path)).rejects.toThrow('Line 4: appData.data and the stored data together are too much: ');
  });

  test('a line that is not UTF-8 is refused (contract §2)', async () => {
    const site = await openSite(open);
    const path = await write([member('1')]);
    await writeFile(
      path,
      Buffer.concat([Buffer.from('{"kind":"member","id":"1","displayName":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    );
    await expect(load(site, path)).rejects.toThrow('Line 1: it is not UTF-8.');
  });

  test('lines that are one record only together are refused', async () => {
    const site = await openSite(open);
    await expect(load(site, await write(['{"kind":"member"', '"id":"1","displayName":"M"}']))).rejects.toThrow(
      'Line 1: ',
    );
  });

  test('an import that was killed goes on where it stopped, and is importing until then (contract §9)', async () => {
    const site = await openSite(open);
    const path = await write([...many(25_000), friendship('1', '25000')]);
    // The first batch starts the import; the second and third hold 10,000 records each.
    await expect(load({ ...site, db: dying(site.db, 4) }, path)).rejects.toThrow('killed');
    expect(await count(site.db, 'member')).toBe(20_000);
    expect(await isImporting(site.db)).toBe(true);
    const steps: number[] = [];
    const report = await load(site, path, { onProgress: ({ records }: { records: number }) => steps.push(records) });
    expect(report).toMatchObject({ records: 25_001, resumedAtLine: 20_001 });
    expect(steps).toEqual([25_001]);
    expect(await count(site.db, 'member')).toBe(25_000);
    expect(await isImporting(site.db)).toBe(false);
  });

  test('reads while a transaction is stored, one of 10,000 records and one ahead (ADR 101)', async () => {
    const site = await openSite(open);
    let running = 0;
    let most = 0;
    const db: Database = {
      ...site.db,
      async batch(statements) {
        most = Math.max(most, ++running);
        return site.db.batch(statements).finally(() => running--);
      },
    };
    const steps: number[] = [];
    const onProgress = ({ records }: { readonly records: number }) => void steps.push(records);
    const path = await write([...many(30_000), '{"kind":', ...many(5)]);
    await expect(load({ ...site, db }, path, { onProgress })).rejects.toThrow('Line 30001: it is not JSON');
    expect({ most, steps, members: await count(site.db, 'member') }).toEqual({
      most: 1,
      steps: [10_000, 20_000], // the third is only complete with the record after it
      members: 20_000,
    });
  });

  test('names the fault of a transaction before that of a line read ahead, and stores neither (contract §9)', async () => {
    const site = await openSite(open);
    const path = await write([...many(9_999), friendship('1', 'unknown'), ...many(10), '{"kind":']);
    await expect(load(site, path)).rejects.toThrow('Line 10000: friendship.members[1] names a member');
    expect([await count(site.db, 'member'), await isImporting(site.db)]).toEqual([0, true]);
  });

  test('a file that was changed since is refused, unless it is begun again (contract §9)', async () => {
    const site = await openSite(open);
    const path = await write([...many(11_000), friendship('1', 'nobody')]);
    await expect(load(site, path)).rejects.toThrow('Line 11001: ');
    const mended = await write([...many(11_000), friendship('1', '2')]);
    await expect(load(site, mended)).rejects.toThrow(
      'stopped after 10000 records, and this file is another or changed',
    );
    expect(await load(site, mended, { restart: true })).toMatchObject({ records: 11_001 });
    expect(await count(site.db, 'friendship')).toBe(2);
  });

  test('a large import into an empty site creates its indexes last and drops duplicates (architecture: storage)', async () => {
    const site = await openSite(open);
    const path = await write([...many(3), ...pads, friendship('1', '2'), friendship('2', '1'), friendship('3', '1')]);
    await load(site, path);
    expect(await count(site.db, 'friendship')).toBe(4);
    await expect(site.db.query(sql`insert into friendship (member_id, friend_id) values ('1', '2')`)).rejects.toThrow(
      StoreError,
    );
  });

  test('an import killed while indexes are created is finished by the next run, or restarted without duplicates', async () => {
    const path = await write([...many(3), ...pads, friendship('1', '2'), friendship('3', '1')]);
    for (const restart of [false, true]) {
      const site = await openSite(open);
      const dies: Database = {
        ...site.db,
        query(statement) {
          if (statement.strings[0]?.includes('create index')) throw new StoreError('unavailable', 'killed');
          return site.db.query(statement);
        },
      };
      await expect(load({ ...site, db: dies }, path)).rejects.toThrow('killed');
      expect(await isImporting(site.db)).toBe(true);
      await load(site, path, { restart });
      expect(await isImporting(site.db)).toBe(false);
      expect(await count(site.db, 'friendship')).toBe(4);
      expect(await count(site.db, 'member')).toBe(4);
    }
  });

  test('friendships begin and end in the order of the lines', async () => {
    const site = await openSite(open);
    const ended = (...members: string[]) => ({ ...friendship(...members), deleted: true });
    await load(
      site,
      await write([...many(3), friendship('1', '2'), ended('2', '1'), friendship('1', '3'), ended('1', '2')]),
    );
    expect(await count(site.db, 'friendship')).toBe(2);
    await load(site, await write([ended('1', '3'), friendship('3', '1'), friendship('2', '1')]));
    expect(await count(site.db, 'friendship')).toBe(4);
  });

  test('a removed member is deleted with all of their data; others are unchanged (contract §9)', async () => {
    const site = await openSite(open);
    const theirs = (id: string, other: string) => [
      { kind: 'block', members: [id, '3'] },
      { kind: 'install', appId: 'notes', memberId: id },
      { kind: 'appData', appId: 'notes', memberId: id, data: { k: 'v' } },
      { kind: 'activity', id: `act-${id}`, userId: id, title: 't', postedTime: '2026-05-01T09:00:00Z' },
      { kind: 'album', id: `album-${id}`, ownerId: id, title: 'A' },
      { kind: 'mediaItem', id: `item-${id}`, albumId: `album-${id}`, url: '/i.jpg' },
      { kind: 'consumer', key: `key-${id}`, secret: 'secret', consumerKind: 'member', memberId: id },
      friendship(id, other),
    ];
    const before = [{ kind: 'app', id: 'notes', title: 'N' }, ...many(3), friendship('1', '2'), ...theirs('2', '3')];
    await load(site, await write([...before, { kind: 'member', id: '2', deleted: true }, ...theirs('1', '3')]));
    expect((await site.get('/people/@me/@friends', { key: 'key-1' })).json).toMatchObject({ totalResults: 1 });
    expect((await site.get('/people/@me/@self', { key: 'key-2', as: '2' })).status).toBe(401);
    const left = await site.db.query(sql`
      select (select count(*) from activity) as activities, (select count(*) from album) as albums,
        (select count(*) from media_item) as items, (select count(*) from app_data) as keys,
        (select count(*) from block) as blocks, (select count(*) from friendship) as friendships`);
    expect({ ...left[0] }).toEqual({ activities: 1, albums: 1, items: 1, keys: 1, blocks: 1, friendships: 2 });
    await load(site, await write([member('2')]));
    expect((await site.get('/people/2/@friends', { key: 'key-1' })).json).toMatchObject({ totalResults: 0 });
  });
});

describe.each(bulkDatabases)('a large import into an empty site of $name', ({ open }) => {
  /** Fills the first transaction, so that the next has friendships and posts alone. */
  const first = [...pads, { kind: 'app', id: 'notes', title: 'Notes' }, ...many(10_000 - pads.length - 1)];
  const post = (id: string, userId: string, appId?: string) => ({
    ...{ kind: 'activity', id, userId, title: 't', postedTime: '2026-01-01T00:00:00Z' },
    ...(appId !== undefined && { appId }),
  });
  const line = first.length + 2;

  async function openBulk(before: (db: Database) => Promise<unknown> = async () => {}) {
    const site = await openSite(open);
    let unchecked = 0;
    const db: Database = {
      ...site.db,
      async batchUnchecked(statements, tables) {
        unchecked++;
        await before(site.db);
        return (await site.db.batchUnchecked?.(statements, tables)) ?? [];
      },
    };
    return { site: { ...site, db }, unchecked: () => unchecked };
  }

  test('stores friendships and posts without checks of keys if all members and apps are known (ADR 101)', async () => {
    const { site, unchecked } = await openBulk();
    const late = Number.MAX_SAFE_INTEGER; // the sum is beyond what is exact
    await site.db.query(
      sql`insert into removed_member (member_id, removed_at_ms) values ('x', ${late}), ('y', ${late})`,
    );
    await load(site, await write([...first, friendship('1', '2'), post('1', '1'), post('2', '2', 'notes')]));
    expect([await count(site.db, 'friendship'), unchecked()]).toEqual([2, 1]);
    const orphan = site.db.query(sql`insert into friendship (member_id, friend_id) values ('unknown', '1')`);
    await expect(orphan).rejects.toMatchObject({ reason: 'constraint' }); // later writes are checked
  });

  test.each([
    ['a friend', friendship('1', 'unknown'), 'friendship.members[1] names a member'],
    ['an author', post('1', 'unknown'), 'activity.userId names a member'],
    ['an app', post('1', '1', 'unknown'), 'activity.appId names an app'],
  ])(
    'names the line of %s that does not exist, and stores nothing of its transaction (contract §9)',
    async (_, bad, fault) => {
      const { site, unchecked } = await openBulk();
      const path = await write([...first, friendship('1', '2'), bad]);
      await expect(load(site, path)).rejects.toThrow(`Line ${line}: ${fault} that does not exist: "unknown".`);
      expect([await count(site.db, 'friendship'), unchecked()]).toEqual([0, 0]);
    },
  );

  test('stops if a member is removed meanwhile, and stores no friendship of theirs (ADR 101)', async () => {
    let removals = 1;
    const { site } = await openBulk(async (db) => {
      if (removals-- > 0) await db.query(sql`insert into removed_member (member_id, removed_at_ms) values ('2', 1)`);
    });
    const path = await write([...first, friendship('1', '2')]);
    await expect(load(site, path)).rejects.toMatchObject({ reason: 'constraint' });
    expect(await count(site.db, 'friendship')).toBe(0);
    await load(site, path); // control: goes on where it stopped
    expect(await count(site.db, 'friendship')).toBe(2);
  });

  test('stops if an app is removed meanwhile, and stores no post of it', async () => {
    const { site } = await openBulk((db) => db.query(sql`delete from app where id = 'notes'`));
    const path = await write([...first, post('1', '1', 'notes')]);
    await expect(load(site, path)).rejects.toThrow(`Line ${line - 1}: activity.appId names an app that does not exist`);
    expect(await site.db.query(sql`select id from activity`)).toEqual([]);
  });

  test('keeps the ids of so many members and no more (security rule 25)', async () => {
    const { site } = await openBulk();
    await site.add({ members: [1, 2, 3].map((id) => ({ id: String(id), displayName: 'M' })) });
    const records: LineRecord[] = [{ list: 'friendships', record: ['1', '2'] }];
    const isChecked = async (most: number) =>
      (await createKnownMembers(site.db, { most }).batchFor(records)).guard.length === 0;
    expect([await isChecked(2), await isChecked(3)]).toEqual([true, false]);
    const known = createKnownMembers(site.db, { most: 3 });
    await known.batchFor(records);
    const fourth = recordOfLine(1, member('4'));
    known.add([fourth]);
    expect((await known.batchFor(records)).guard).toEqual([]);
  });
});

test('whatever refers to a member goes with the member: a new table is named here when it does (contract §9)', async () => {
  const { db } = await openSite(async () => openSqlite({ file: ':memory:' }));
  const rows = await db.query<{ child: string; action: string }>(sql`
    select tables.name as child, on_delete as action from sqlite_schema as tables
      join pragma_foreign_key_list(tables.name) as keys on keys."table" = 'member'
    where tables.type = 'table' order by tables.name, keys.seq`);
  expect([...new Set(rows.filter(({ action }) => action !== 'CASCADE').map(({ child }) => child))]).toEqual([
    'activity',
    'album',
    'block',
    'consumer',
    'friendship',
    'last_post',
    'member_app',
  ]);
});
