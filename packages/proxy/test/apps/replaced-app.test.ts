import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findKnownApp, planRegistration, type RegistrationMode, removeApp, runPlan } from '@gantry/proxy';
import { type Database, sql } from '@gantry/store';
import type { Instance } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { logAppChange } from '../../src/events/changes.ts';
import { proxyChangeLog } from '../../src/events/proxied-changes.ts';
import { registerApp } from '../register-app.ts';
import { openSite, type Site, says, secretKey } from '../site.ts';

const folders = folderForFile();
for (const name of ['score', 'moved', 'spy']) {
  await mkdir(join(folders, name));
  await writeFile(join(folders, name, 'index.html'), '<!doctype html>');
}

const app = {
  id: 'score',
  folder: join(folders, 'score'),
  manifest: { name: 'Score', page: 'index.html', uses: ['people.get', 'appdata.get', 'appdata.update'] },
  consumerKey: 'first',
  consumerSecret: 's',
};
const another = {
  ...app,
  folder: join(folders, 'spy'),
  manifest: { ...app.manifest, name: 'Spy' },
  consumerKey: 'second',
};
const permissions = ['people', 'appdata', 'appdata.write'];
const { folder: _, ...unplaced } = app;
const remote = { ...unplaced, url: 'https://apps.example/score' };

interface Opened {
  readonly site: Site;
  /** Requests that the site got, each with the key that signed it. */
  readonly sent: string[];
  add(what: Parameters<typeof registerApp>[2], mode: RegistrationMode): Promise<void>;
  call(gadget: Instance, operation: string, write?: string): Promise<unknown>;
  allow(gadget: Instance): Promise<Response>;
}

async function openScore(
  open: () => Promise<Database>,
  { appsHost, over = (db) => db }: { readonly appsHost?: string; readonly over?: (db: Database) => Database } = {},
): Promise<Opened> {
  const sent: string[] = [];
  const site = await openSite({
    db: over(await open()),
    ...(appsHost !== undefined && { appsHost }),
    async upstream({ method, headers }) {
      sent.push(`${method} ${/oauth_consumer_key="([^"]+)"/.exec(headers.authorization ?? '')?.[1]}`);
      return says({ entry: { mine: { of: `answer ${sent.length}` } } });
    },
  });
  return {
    site,
    sent,
    add: (what, mode) => registerApp(site.db, secretKey, what, { mode, now: () => site.nowMs }),
    async call(gadget, operation, write) {
      const params = operation === 'appdata.update' ? { data: { a: '1' } } : { userId: '@viewer' };
      const call = { id: 'c', instance: gadget.instance, operation, params, ...(write !== undefined && { write }) };
      return (await site.call([call], [gadget])).get('c');
    },
    allow: ({ token }) => site.post('/gantry/grants', { token, grant: permissions }),
  };
}

const replaced = {
  id: 'c',
  error: { code: 410, message: 'Another app has this id now.', data: { reason: 'APP_REPLACED' } },
};

describe.each(databases)('registrations of an id, on $name (security rule 29)', ({ open }) => {
  test('a taken id without a mode is refused, and nothing changes', async () => {
    const { site, add } = await openScore(open);
    await add(app, 'new');
    await expect(add(another, 'new')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await findKnownApp(site.db, 'score')).toMatchObject({ name: 'Score', consumerKey: 'first' });
  });

  test('an update keeps consents, tokens, the key and what browsers cache, and asks for what is new', async () => {
    const { site, add, allow, call, sent } = await openScore(open);
    await add(app, 'new');
    const before = await site.mount({ app: 'score' });
    await allow(before);
    expect(await call(before, 'appdata.get')).toMatchObject({ ok: {} });
    await add({ ...app, folder: join(folders, 'moved'), consumerKey: undefined, consumerSecret: undefined }, 'update');
    expect(await call(before, 'appdata.get')).toMatchObject({ ok: {} });
    expect(sent).toEqual(['GET first', 'GET first']);
    const after = await site.mount({ app: 'score' });
    expect(after).toMatchObject({ upstream: before.upstream, consent: { needed: [] } });
    await add({ ...app, manifest: { ...app.manifest, fields: ['birthday'] } }, 'update');
    expect((await site.mount({ app: 'score' })).consent.needed).toEqual(['people.birthday']);
  });

  test('a replacement needs consent, and calls of the old app are refused', async () => {
    const { site, add, allow, call, sent } = await openScore(open);
    await add(app, 'new');
    const old = await site.mount({ app: 'score' });
    await allow(old);
    expect(await call(old, 'appdata.get')).toMatchObject({ ok: {} });
    expect(await call(old, 'appdata.update', 'w1')).toMatchObject({ ok: {} });
    await add(another, 'replace');
    expect(await call(old, 'appdata.get')).toEqual(replaced);
    expect(await call(old, 'appdata.update', 'w2')).toEqual(replaced);
    const refused = await allow(old); // a click on the old app's card
    expect([refused.status, await refused.json()]).toMatchObject([
      410,
      { error: { data: { reason: 'APP_REPLACED' } } },
    ]);
    const now = await site.mount({ app: 'score' });
    expect(now).toMatchObject({ consent: { needed: permissions }, context: { permissions: [] } });
    expect(now.upstream).not.toBe(old.upstream); // separate browser caches
    sent.length = 0;
    await allow(now);
    await call(now, 'appdata.get');
    await call(now, 'appdata.update', 'w1');
    expect(sent).toEqual(['GET second', 'POST second']);
    expect(await site.db.query(sql`select app from write_log where app like 'score%'`)).toHaveLength(1);
  });

  test('a decision that arrives while the app is replaced counts for the old one only', async () => {
    const { site, add } = await openScore(open);
    await add(app, 'new');
    const [row] = await site.db.query<{ registration: string }>(sql`
      select registration from app_registrations where id = 'score'`);
    await add(another, 'replace');
    await site.db.query(sql`
      insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms, registration)
      values ('7', 'score', 'people', 1, 'd', 1, ${row?.registration ?? ''})`);
    expect((await site.mount({ app: 'score' })).consent.needed).toEqual(permissions);
    // The control: as a decision about the id alone, it would have counted for the new app.
    await site.db.query(sql`
      update app_grants set registration = (select registration from app_registrations where id = 'score')`);
    expect((await site.mount({ app: 'score' })).consent.needed).toEqual(permissions.slice(1));
  });

  test('a decision that is stored while the app is replaced is refused as a whole', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const over = (db: Database): Database => ({
      ...db,
      async batch(statements) {
        const replace = meanwhile;
        meanwhile = undefined;
        await replace?.();
        return db.batch(statements);
      },
    });
    const { site, add, allow } = await openScore(open, { over });
    await add(app, 'new');
    const old = await site.mount({ app: 'score' });
    meanwhile = () => add(another, 'replace');
    const refused = await allow(old);
    expect([refused.status, await refused.json()]).toMatchObject([
      410,
      { error: { data: { reason: 'APP_REPLACED' } } },
    ]);
    expect(await site.db.query(sql`select 1 from app_grants`)).toEqual([]);
    // The control: as long as nothing happens meanwhile, it is kept.
    expect((await allow(await site.mount({ app: 'score' }))).status).toBe(200);
    expect(await site.db.query(sql`select 1 from app_grants`)).toHaveLength(3);
  });

  test('after a removal, the next registration needs a mode', async () => {
    const { site, add, allow } = await openScore(open);
    await add(app, 'new');
    const { upstream, token } = await site.mount({ app: 'score' });
    await allow({ token } as Instance);
    await removeApp(site.db, 'score', { now: () => site.nowMs });
    expect(await findKnownApp(site.db, 'score')).toMatchObject({ name: 'Score', removedAtMs: site.nowMs });
    await expect(add(app, 'new')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(add(remote, 'update')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await add(app, 'update');
    expect(await site.mount({ app: 'score' })).toMatchObject({ upstream, consent: { needed: permissions } });
    expect(await findKnownApp(site.db, 'score')).not.toHaveProperty('removedAtMs');
    await removeApp(site.db, 'score');
    await expect(add(app, 'replace')).rejects.toThrow('The key first belongs to the replaced app');
    await add(another, 'replace');
    expect((await site.mount({ app: 'score' })).upstream).not.toBe(upstream);
  });

  test('another kind or origin is another app, another folder is not', async () => {
    const { add } = await openScore(open);
    await add(app, 'new');
    await expect(add(remote, 'update')).rejects.toThrow('score came from a folder.');
    await add({ ...remote, consumerKey: 'second' }, 'replace');
    await expect(add(app, 'update')).rejects.toThrow('score came from a server of its own.');
    await add({ ...remote, url: 'https://apps.example/moved/' }, 'update');
    for (const url of ['http://apps.example/score', 'https://apps.example:8443/', 'https://example/']) {
      await expect(add({ ...remote, url }, 'update')).rejects.toThrow('score came from https://apps.example.');
    }
  });

  test('an update keeps trust by default, and a replacement does not', async () => {
    const { site, add } = await openScore(open);
    const isTrusted = async () => (await findKnownApp(site.db, 'score'))?.trusted;
    await add({ ...app, trusted: true }, 'new');
    await add(app, 'update');
    expect(await isTrusted()).toBe(true);
    await add({ ...app, trusted: false }, 'update');
    expect((await site.mount({ app: 'score' })).consent.needed).toEqual(permissions);
    await add({ ...app, trusted: true }, 'update');
    await add(another, 'replace');
    expect(await isTrusted()).toBe(false);
  });

  test('one of two concurrent registrations is refused', async () => {
    const { site, add } = await openScore(open);
    await add(app, 'new');
    const plan = (consumerKey: string) =>
      planRegistration(site.db, secretKey, { ...another, consumerKey }, { mode: 'replace' });
    const plans = await Promise.all([plan('a'), plan('b')]);
    const both = await Promise.allSettled(plans.map(({ statements }) => runPlan(site.db, statements)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    await expect(runPlan(site.db, [sql`select * from nowhere`])).rejects.not.toMatchObject({ code: 'CONFLICT' });
  });

  test("an app from 0.1 and its tokens work without a registration's name", async () => {
    const { site, add, allow, call } = await openScore(open);
    await add(app, 'new');
    await site.db.query(sql`
      update app_registrations set registration = '', registered_at_ms = null, updated_at_ms = null where id = 'score'`);
    const gadget = await site.mount({ app: 'score' });
    const [, payload = ''] = gadget.token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).not.toHaveProperty('registration');
    await allow(gadget);
    expect(await call(gadget, 'appdata.get')).toMatchObject({ ok: {} });
    await add(app, 'update');
    expect(await call(gadget, 'appdata.get')).toMatchObject({ ok: {} });
    expect(await findKnownApp(site.db, 'score')).not.toHaveProperty('registeredAtMs');
    await add(another, 'replace');
    expect(await call(gadget, 'appdata.get')).toEqual(replaced);
  });

  test('with an origin per app, a replacement gets another origin', async () => {
    const { site, add } = await openScore(open, { appsHost: 'http://*.apps.example' });
    const originOf = async () => new URL((await site.mount({ app: 'score' })).document).origin;
    await add(app, 'new');
    const first = await originOf();
    await add(app, 'update');
    expect(await originOf()).toBe(first);
    await add(another, 'replace');
    expect(await originOf()).not.toBe(first);
  });

  test('a paused app is refused as APP_PAUSED, and works again once resumed', async () => {
    const { site, add, allow, call, sent } = await openScore(open);
    await add(app, 'new');
    const gadget = await site.mount({ app: 'score' });
    await allow(gadget);
    const pause = (paused: 0 | 1) =>
      site.db.batch([
        sql`update app_registrations set paused = ${paused} where id = 'score'`,
        logAppChange(proxyChangeLog, 'score'),
      ]);
    await pause(1);
    const error = { code: 503, message: 'The site has paused this app.', data: { reason: 'APP_PAUSED' } };
    expect(await (await site.post('/gantry/instances', [{ app: 'score' }, { app: 'notes' }])).json()).toMatchObject([
      { error },
      { ok: {} },
    ]);
    expect(await call(gadget, 'appdata.get')).toEqual({ id: 'c', error });
    expect(sent).toEqual([]);
    await add(app, 'update'); // an update does not resume it
    expect(await call(gadget, 'appdata.get')).toEqual({ id: 'c', error });
    await pause(0);
    expect(await call(gadget, 'appdata.get')).toMatchObject({ ok: {} });
  });
});
