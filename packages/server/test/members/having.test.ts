import { hash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRegistered, type RegistrationMode, removeApp, revokeGrants } from '@gantry/proxy';
import { importWorld, installOnFirstUse, siteChanges } from '@gantry/service';
import { type Database, type Statement, sql } from '@gantry/store';
import type { CallReply } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import pino from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { openStores } from '../../src/data/open-stores.ts';
import { siteHaving } from '../../src/data/site-having.ts';
import { addApp, createGantry, dropApp, type Gantry } from '../../src/index.ts';
import { databases } from '../databases.ts';
import { type GadgetPage, openPage } from '../gadget-page.ts';

const url = 'http://localhost:4400';

// Members and apps that the demo's world does not have.
const world = {
  members: ['pia', 'quentin', 'rosa'].map((id) => ({ id, displayName: id })),
  friendships: [
    ['pia', 'quentin'],
    ['pia', 'rosa'],
  ],
};
const uses = ['people.get', 'appdata.get', 'appdata.update', 'appdata.delete'];
const required = ['people', 'appdata', 'appdata.write'];

interface Running {
  readonly gantry: Gantry;
  readonly data: string;
  readonly database: string;
  /** Lines of the log. */
  readonly lines: readonly Record<string, unknown>[];
  as(member: string): GadgetPage;
  add(
    id: string,
    options?: { readonly trusted?: boolean; readonly uses?: readonly string[]; readonly mode?: RegistrationMode },
  ): Promise<void>;
}

const opened: Gantry[] = [];
afterAll(async () => {
  for (const gantry of opened) await gantry.close();
});

async function run(open: () => Promise<string | undefined>): Promise<Running> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-having-'));
  const database = (await open()) ?? join(data, 'gantry.db');
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const viewer = async (request: Request) => request.headers.get('member') ?? undefined;
  const gantry = await createGantry({ data, database, url, viewer, log });
  opened.push(gantry);
  await importWorld(gantry.stores.db, world, { ...gantry.stores, folder: data });
  return {
    gantry,
    data,
    database,
    lines,
    as: (member) => openPage(gantry, { url, member }),
    async add(id, options = {}) {
      const folder = join(data, 'apps', id);
      await mkdir(folder, { recursive: true });
      const manifest = { name: id, page: 'index.html', uses: options.uses ?? uses };
      await writeFile(join(folder, 'gadget.json'), JSON.stringify(manifest));
      await writeFile(join(folder, 'index.html'), '<!doctype html>');
      await addApp(gantry.stores, { id, folder, trusted: options.trusted ?? false, mode: options.mode });
    },
  };
}

const save = (page: GadgetPage, data: object = { score: '7' }) => page.call('dice', 'appdata.update', { data });
const scores = (page: GadgetPage) => page.call('dice', 'appdata.get', { userId: '@viewer', groupId: '@friends' });
const friends = async (page: GadgetPage) => {
  const reply = await page.call('dice', 'people.get', { userId: '@viewer', groupId: '@friends' });
  const { list } = okOf(reply) as { list: { id: string; hasApp: boolean }[] };
  return Object.fromEntries(list.map(({ id, hasApp }) => [id, hasApp]));
};
const okOf = (reply: CallReply): unknown => ('ok' in reply ? reply.ok : reply);
const missing = { error: { code: 403, data: { reason: 'APP_NOT_ADDED' } } };

describe.each(databases)('having an app on $name', ({ open }) => {
  test('a new app keeps a score and shows a friend’s as soon as both allowed it (contract §6)', async () => {
    const site = await run(open);
    await site.add('dice');
    const [pia, quentin] = [site.as('pia'), site.as('quentin')];
    await pia.decide('dice', { grant: required });
    await quentin.decide('dice', { grant: required });
    expect(okOf(await save(pia))).toEqual({});
    expect(okOf(await scores(quentin))).toEqual({ pia: { score: '7' } });
    expect(await friends(quentin)).toEqual({ pia: true });
    expect(await friends(pia)).toEqual({ quentin: true, rosa: false });
  });

  test('friends see no scores after a withdrawal, and the old ones again unless removed (contract §6)', async () => {
    const site = await run(open);
    await site.add('dice');
    const [pia, quentin] = [site.as('pia'), site.as('quentin')];
    for (const page of [pia, quentin]) await page.decide('dice', { grant: required });
    await save(pia);
    await pia.decide('dice', { revoke: ['people'] }); // a part is no withdrawal
    expect(await friends(quentin)).toEqual({ pia: true });
    await pia.decide('dice', { revoke: required });
    expect([await friends(quentin), okOf(await scores(quentin))]).toEqual([{ pia: false }, {}]);
    await pia.decide('dice', { grant: required });
    expect(okOf(await scores(quentin))).toEqual({ pia: { score: '7' } });
    await pia.decide('dice', { revoke: required, removesData: true });
    await pia.decide('dice', { grant: required });
    expect([await friends(quentin), okOf(await scores(quentin))]).toEqual([{ pia: true }, {}]);
  });

  test('a trusted app is had from the first write, a post too, and not from looking at it (contract §6)', async () => {
    const site = await run(open);
    await site.add('dice', { trusted: true, uses: [...uses, 'activities.create'] });
    const [pia, quentin, rosa] = ['pia', 'quentin', 'rosa'].map(site.as) as [GadgetPage, GadgetPage, GadgetPage];
    expect(await friends(quentin)).toEqual({ pia: false });
    await pia.call('dice', 'appdata.get', {});
    expect(await friends(quentin)).toEqual({ pia: false });
    expect(okOf(await save(pia))).toEqual({});
    await rosa.call('dice', 'activities.create', { activity: { title: 'Hello' } });
    expect(await friends(pia)).toEqual({ quentin: false, rosa: true });
    expect(await friends(quentin)).toEqual({ pia: true });
    await pia.decide('dice', { revoke: [...required, 'activities.post'] });
    expect(await save(pia)).toMatchObject({ error: { data: { reason: 'NOT_GRANTED' } } });
    expect(await friends(quentin)).toEqual({ pia: false });
  });

  test('an app that the site took away is refused by a word of its own, until the site gives it (contract §6)', async () => {
    const site = await run(open);
    await site.add('dice');
    const pia = site.as('pia');
    await pia.decide('dice', { grant: required });
    const { stores } = site.gantry;
    const record = async (more: object) =>
      importWorld(stores.db, { installs: [{ appId: 'dice', memberId: 'pia', ...more }] }, { ...stores, folder: '.' });
    await record({ removed: true });
    expect(await save(pia)).toMatchObject(missing);
    await record({});
    expect(okOf(await save(pia))).toEqual({});
  });

  test('a removed app is nobody’s, and another of its id starts with nobody (security rule 29)', async () => {
    const site = await run(open);
    await site.add('dice');
    const [pia, quentin] = [site.as('pia'), site.as('quentin')];
    for (const page of [pia, quentin]) await page.decide('dice', { grant: required });
    await save(pia);
    await dropApp(site.gantry.stores, 'dice');
    await site.add('dice', { mode: 'update' });
    await quentin.decide('dice', { grant: required });
    expect(await friends(quentin)).toEqual({ pia: false });
    await pia.decide('dice', { grant: required });
    expect(okOf(await scores(quentin))).toEqual({ pia: { score: '7' } });
  });

  test('another app that takes the id is had by nobody, and finds nothing that was saved (security rule 29)', async () => {
    const site = await run(open);
    await site.add('dice');
    const [pia, quentin, rosa] = ['pia', 'quentin', 'rosa'].map(site.as) as [GadgetPage, GadgetPage, GadgetPage];
    for (const page of [pia, quentin, rosa]) await page.decide('dice', { grant: required });
    await save(pia);
    const { stores } = site.gantry;
    const { db } = stores;
    const [old] = await db.query<{ registration: string }>(sql`select registration from app_registrations`);
    const installs = [{ appId: 'dice', memberId: 'rosa' }];
    await importWorld(db, { installs }, { ...stores, folder: '.' });
    await rosa.decide('dice', { revoke: required }); // a withdrawal from the old app is none from the new one
    await site.add('dice', { mode: 'replace', trusted: true });
    expect(await friends(pia)).toEqual({ quentin: false, rosa: false });
    expect(await db.query(sql`select 1 from member_app where app_id = 'dice'`)).toEqual([]);
    // A first write that was let through for the old one gives nobody the new one.
    const gives = (when: Statement) =>
      installOnFirstUse(db, { memberId: 'quentin', appId: 'dice' }, { granted: required, nowMs: 1, when });
    expect(await gives(isRegistered('dice', old?.registration ?? ''))).toBe(false);
    expect(await gives(sql`1 = 1`)).toBe(true); // the control
    for (const page of [pia, rosa]) expect(okOf(await save(page, { colour: 'red' }))).toEqual({});
    expect(await friends(pia)).toEqual({ quentin: true, rosa: true });
    expect(okOf(await scores(quentin))).toEqual({ pia: { colour: 'red' } });
  });

  test('a decision that is kept while its app is replaced decides nothing about the new one (security rule 29)', async () => {
    const site = await run(open);
    await site.add('dice', { trusted: true });
    const { db } = site.gantry.stores;
    let isReplaced = false;
    const racing: Database = {
      ...db,
      async batch(statements) {
        if (!isReplaced) {
          isReplaced = true;
          await site.add('dice', { mode: 'replace', trusted: true });
        }
        return db.batch(statements);
      },
    };
    const decisions = { db: racing, changes: siteChanges, installs: siteHaving(db), now: () => 1, log: silentLogger };
    const revoke = () => revokeGrants(decisions, { viewer: 'pia', app: 'dice' });
    const rows = () => db.query(sql`select installed, ended_by from member_app`);
    await expect(revoke()).rejects.toMatchObject({ code: 'APP_REPLACED' });
    expect([await rows(), await db.query(sql`select 1 from app_grants`)]).toEqual([[], []]);
    expect(await revoke()).toBe(true); // the control
    expect(await rows()).toEqual([{ installed: 0, ended_by: 2 }]);
  });

  test('each allow and each withdrawal is a line in the log, with marks of ids (security rule 8)', async () => {
    const site = await run(open);
    await site.add('dice');
    const pia = site.as('pia');
    await pia.decide('dice', { grant: required });
    await pia.decide('dice', { revoke: required, removesData: true });
    const member = hash('sha256', 'pia', 'hex').slice(0, 12);
    expect(site.lines).toMatchObject([
      { level: 30, msg: 'permissions granted', member, app: 'dice', permissions: required },
      { level: 30, msg: 'permissions revoked', member, app: 'dice', permissions: required, removesData: true },
    ]);
    expect(JSON.stringify(site.lines)).not.toContain('pia');
  });

  test('members who allowed an app before that counted have it after the update, once, and nobody else', async () => {
    const site = await run(open);
    await site.add('dice');
    await site.add('cards');
    for (const member of ['pia', 'quentin', 'rosa']) await site.as(member).decide('dice', { grant: required });
    await site.as('quentin').decide('dice', { revoke: required });
    const { db } = site.gantry.stores;
    // As an earlier version left it: grants alone, one of a member who is gone and one of an app
    // that is.
    await db.batch([
      sql`delete from member_app where member_id <> 'rosa'`,
      sql`update member_app set installed = 0, granted = null, ended_by = 1, changed_at_ms = 0 where member_id = 'rosa'`,
      sql`
        insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms)
        values ('gone', 'dice', 'people', 1, 'd', 1), ('pia', 'gone', 'people', 1, 'd', 1), ('pia', 'cards', 'people', 0, 'd', 1)`,
      sql`delete from schema_migration where set_name = 'site'`,
    ]);
    const having = () =>
      db.query(sql`select member_id, app_id, installed, granted from member_app order by member_id, app_id`);
    const expected = [
      { member_id: 'pia', app_id: 'dice', installed: 1, granted: 'appdata appdata.write people' },
      { member_id: 'rosa', app_id: 'dice', installed: 0, granted: null },
    ];
    for (let again = 0; again < 2; again++) {
      const stores = await openStores(site);
      await stores.db.close();
      expect(await having()).toEqual(expected);
    }
    await db.query(sql`delete from schema_migration where set_name = 'site'`); // as after a restored backup
    await (await openStores(site)).db.close();
    expect(await having()).toEqual(expected);
    expect(await friends(site.as('pia'))).toEqual({ quentin: false, rosa: false });
  });

  test('grants and having are one transaction: where one cannot be kept, neither is (security rule 22)', async () => {
    const site = await run(open);
    await site.add('dice');
    const { db } = site.gantry.stores;
    await db.query(sql`alter table member_app rename column granted to elsewhere`);
    await expect(site.as('pia').decide('dice', { grant: required })).rejects.toThrow('answered 500');
    expect(await db.query(sql`select 1 from app_grants`)).toEqual([]);
    await db.query(sql`alter table member_app rename column elsewhere to granted`);
    await site.as('pia').decide('dice', { grant: required });
    expect(await db.query(sql`select 1 from app_grants`)).toHaveLength(3);
    await removeApp(db, 'dice');
  });
});
