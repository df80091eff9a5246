import { importWorld, introduceMember, serviceMigrations, siteChanges } from '@gantry/service';
import { type Database, migrate, sql } from '@gantry/store';
import { afterEach, describe, expect, test } from 'vitest';
import { applyRecords } from '../../src/world/apply-records.ts';
import { parseLineRecord } from '../../src/world/line-record.ts';
import { databases } from '../databases.ts';

const nowS = 1_800_000_000;
const options = {
  folder: '/nowhere',
  mediaFolder: '/nowhere',
  secretKey: new Uint8Array(32),
  random: (n: number) => new Uint8Array(n),
};

describe.each(databases)('introductions on $name (ADR 38)', ({ open }) => {
  let db: Database;
  afterEach(() => db.close());

  async function site(world: object = {}): Promise<void> {
    db = await open();
    await migrate(db, { name: 'service', migrations: serviceMigrations });
    await importWorld(db, { site: { name: 'Harbour' }, ...world }, { ...options, now: () => nowS * 1000 });
  }

  async function member(id: string): Promise<unknown> {
    const rows = await db.query(sql`
      select display_name as name, thumbnail_url as picture, about_me as about, about_me_level as level, admin
      from member where id = ${id}`);
    return rows[0];
  }

  async function changes(): Promise<number> {
    const [row] = await db.query<{ n: number | string }>(sql`select count(*) as n from ${siteChanges.table}`);
    return Number(row?.n);
  }

  async function record(input: object, atS = nowS): Promise<void> {
    const checked = parseLineRecord(input);
    if ('problem' in checked) throw new Error(checked.problem.join(' '));
    expect(await applyRecords(db, [checked], { ...options, nowMs: atS * 1000 })).toBe(undefined);
  }

  const introduce = (displayName: string, saidAtS = nowS, thumbnailUrl?: string) =>
    introduceMember(db, { id: 'm-7', displayName, thumbnailUrl, saidAtS });

  test('a member whom Gantry does not know becomes known, without administrator rights', async () => {
    await site();
    expect(await introduce('Cy', nowS, '/cy.png')).toBe(undefined);
    expect(await member('m-7')).toEqual({ name: 'Cy', picture: '/cy.png', about: '', level: 0, admin: 0 });
  });

  test('name and picture are brought up to date, and nothing else is: levels of visibility and rights stay', async () => {
    const cy = { id: 'm-7', displayName: 'Cy', thumbnailUrl: '/cy.png', aboutMe: 'Rows.', admin: true };
    await site({ members: [{ ...cy, visibility: { aboutMe: 'private' } }] });
    await introduce('Cyril');
    expect(await member('m-7')).toEqual({ name: 'Cyril', picture: '/cy.png', about: 'Rows.', level: 2, admin: 1 });
    await introduce('Cyril', nowS + 1, '');
    expect(await member('m-7')).toMatchObject({ name: 'Cyril', picture: '' });
  });

  test('a name is stored without what would turn or hide its surroundings (security rule 38)', async () => {
    await site();
    const introduce = (id: string, displayName: string) => introduceMember(db, { id, displayName, saidAtS: nowS });
    expect(await introduce('7', 'Ann\u200b \u202egpj')).toBeUndefined();
    expect(await introduce('8', 'शर्\u200dमा 👩\u200d👧')).toBeUndefined();
    expect([await member('7'), await member('8')]).toMatchObject([
      { name: 'Ann gpj' },
      { name: 'शर्\u200dमा 👩\u200d👧' },
    ]);
  });

  test('a repeated introduction invalidates nothing', async () => {
    await site({ members: [{ id: 'm-7', displayName: 'Cy', thumbnailUrl: '/cy.png' }] });
    const before = await changes();
    await introduce('Cy', nowS, '/cy.png');
    await introduce('Cy', nowS + 60, '/cy.png');
    expect(await changes()).toBe(before);
    await introduce('Cyril', nowS + 120, '/cy.png');
    expect(await changes()).toBe(before + 1); // control
  });

  test('the later of two valid tokens counts, in either order of arrival', async () => {
    await site();
    await introduce('Cyril', nowS + 60);
    await introduce('Cy', nowS);
    await introduce('Cyril', nowS + 60);
    expect(await member('m-7')).toMatchObject({ name: 'Cyril' });
    await introduce('Cy', nowS + 61);
    expect(await member('m-7')).toMatchObject({ name: 'Cy' }); // control
  });

  test('a repeated token does not undo a later record', async () => {
    await site();
    await introduce('Cy');
    await record({ kind: 'member', id: 'm-7', displayName: 'Cyril of the Boats' });
    await introduce('Cy', nowS + 60);
    expect(await member('m-7')).toMatchObject({ name: 'Cyril of the Boats' });
    await introduce('Cyril', nowS + 120);
    expect(await member('m-7')).toMatchObject({ name: 'Cyril' });
  });

  test('a token from before its member was removed does not bring them back; one that is made later does', async () => {
    await site();
    await introduce('Cy', nowS);
    await record({ kind: 'member', id: 'm-7', deleted: true }, nowS + 5);
    for (const saidAtS of [nowS, nowS + 5, nowS + 15]) await introduce('Cy', saidAtS);
    expect(await member('m-7')).toBe(undefined);
    await introduce('Cy', nowS + 16);
    expect(await member('m-7')).toMatchObject({ name: 'Cy' });
  });

  test('a member who was never introduced is not brought back either', async () => {
    await site({ members: [{ id: 'm-7', displayName: 'Cy' }] });
    await record({ kind: 'member', id: 'm-7', deleted: true }, nowS + 5);
    await introduce('Cy', nowS);
    expect(await member('m-7')).toBe(undefined);
  });

  test('the row of a removed member is deleted once all earlier tokens have expired', async () => {
    await site({ members: ['m-7', 'm-8'].map((id) => ({ id, displayName: id })) });
    await record({ kind: 'member', id: 'm-7', deleted: true }, nowS);
    await record({ kind: 'member', id: 'm-8', deleted: true }, nowS + 700);
    expect(await db.query(sql`select member_id from introduction`)).toEqual([{ member_id: 'm-8' }]);
  });

  test.each([
    ['an empty name', ' ', undefined, "the member's displayName must not be empty"],
    ['a long name', 'x'.repeat(4001), undefined, "the member's displayName must have at most 4,000 bytes"],
    ['a picture that is a script', 'Cy', 'javascript:x', "the member's thumbnailUrl must be an http or https address"],
    ['a long picture', 'Cy', `/${'x'.repeat(2000)}`, "the member's thumbnailUrl must have at most 2,000 characters"],
  ])('%s is not taken (security rule 25)', async (_, name, picture, reason) => {
    await site();
    expect(await introduce(name, nowS, picture)).toContain(reason);
    expect(await member('m-7')).toBe(undefined);
  });

  test('the same introduction twice at once makes one member', async () => {
    await site();
    await Promise.all([introduce('Cy'), introduce('Cy'), introduce('Cyril', nowS + 1)]);
    expect(await member('m-7')).toMatchObject({ name: 'Cyril' });
  });
});
