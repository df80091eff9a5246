import { listGrants, removeApp, revokeGrants } from '@gantry/proxy';
import { sql } from '@gantry/store';
import type { GrantsAnswer, Instance, PermissionName } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import { proxyChangeLog } from '../../src/events/proxied-changes.ts';
import { registerApp } from '../register-app.ts';
import { appFolder, openSite, type Site, says, secretKey, siteUrl } from '../site.ts';

const manifest = {
  name: 'Birthdays',
  page: 'index.html',
  uses: ['people.get'],
  fields: ['birthday'],
  optional: { uses: ['activities.create'], fields: ['gender'] },
  preload: [{ operation: 'people.get', params: { fields: ['birthday'] } }],
};
const required: PermissionName[] = ['people', 'people.birthday'];
const optional: PermissionName[] = ['activities.post', 'people.gender'];

async function register(site: Site, change: object = {}, { url, trusted }: { url?: string; trusted?: boolean } = {}) {
  const app = {
    id: 'asking',
    ...(url === undefined ? { folder: await appFolder() } : { url }),
    manifest: { ...manifest, ...change },
    trusted,
    consumerKey: `k ${url}`,
    consumerSecret: 's',
  };
  await registerApp(site.db, secretKey, app, { mode: url === undefined ? 'update' : 'replace' });
}

async function openAsking(): Promise<Site & { readonly targets: string[] }> {
  const targets: string[] = [];
  const site = await openSite({
    upstream: async ({ rawTarget: target }) => {
      targets.push(target);
      return says({ entry: { id: '7', birthday: '1990/01/01', gender: 'female' } });
    },
  });
  await register(site);
  return Object.assign(site, { targets });
}

async function decide(site: Site, { token }: Instance, decision: object): Promise<GrantsAnswer> {
  const response = await site.post('/gantry/grants', { token, ...decision });
  expect(response.status).toBe(200);
  return (await response.json()) as GrantsAnswer;
}

async function call(site: Site, gadget: Instance, operation: string, params: object = {}) {
  const { instance } = gadget;
  const replies = await site.call(
    [{ id: 'c', instance, operation, params: params as Record<string, unknown> }],
    [gadget],
  );
  return replies.get('c');
}

const readBirthday = (site: Site, gadget: Instance) => call(site, gadget, 'people.get', { fields: ['birthday'] });
const birthday = { id: 'c', ok: { id: '7', birthday: '1990/01/01', isOwner: true } };
const refused = (...missing: PermissionName[]) => ({
  id: 'c',
  error: { code: 403, message: expect.any(String), data: { reason: 'NOT_GRANTED', missing } },
});

test('calls without grants are refused and not sent; granted ones are answered', async () => {
  const site = await openAsking();
  const gadget = await site.mount({ app: 'asking' });
  expect(gadget).toMatchObject({ consent: { needed: required, optional }, preload: [], context: { permissions: [] } });
  expect(await readBirthday(site, gadget)).toEqual(refused('people', 'people.birthday'));
  expect(site.targets).toEqual([]);

  expect(await decide(site, gadget, { grant: ['people'] })).toEqual({
    granted: ['people'],
    needed: ['people.birthday'],
    optional,
  });
  expect(await readBirthday(site, gadget)).toEqual(refused('people.birthday'));
  expect(site.targets).toEqual([]);

  await decide(site, gadget, { grant: required });
  expect(await readBirthday(site, gadget)).toEqual(birthday);
  expect(site.targets).toHaveLength(1);
  expect(await site.mount({ app: 'asking' })).toMatchObject({
    consent: { needed: [], optional },
    preload: manifest.preload,
    context: { permissions: required },
  });
});

test('optional permissions are granted later, and each can be revoked at once', async () => {
  const site = await openAsking();
  const gadget = await site.mount({ app: 'asking' });
  const post = () => call(site, gadget, 'activities.create', { activity: { title: 'Hello' } });
  await decide(site, gadget, { grant: required });
  expect(await post()).toEqual(refused('activities.post'));
  await decide(site, gadget, { grant: ['activities.post'] });
  expect(await post()).toMatchObject({ ok: {} });
  expect(await decide(site, gadget, { revoke: ['activities.post', 'people.birthday'] })).toEqual({
    granted: ['people'],
    needed: ['people.birthday'],
    optional,
  });
  expect(await post()).toEqual(refused('activities.post'));
  expect(await readBirthday(site, gadget)).toEqual(refused('people.birthday'));
});

test('a call that the manifest does not declare is refused, whatever was granted or trusted', async () => {
  const site = await openAsking();
  await register(site, { uses: ['appdata.update'], fields: [], preload: [] }, { trusted: true });
  const gadget = await site.mount({ app: 'asking' });
  expect(await call(site, gadget, 'appdata.update', { data: { a: 1 } })).toMatchObject({ ok: {} });
  expect(await call(site, gadget, 'appdata.delete', { keys: '*' })).toMatchObject({
    error: { message: 'appdata.delete is not granted: gadget.json does not list it in uses.' },
  });
  expect(await decide(site, gadget, { grant: ['people', 'constructor', '__proto__'] })).toMatchObject({ needed: [] });
  expect(await call(site, gadget, 'people.get')).toEqual(refused('people'));
});

test('each member decides alone, for one app, and a visitor decides nothing', async () => {
  const site = await openAsking();
  const mine = await site.mount({ app: 'asking' });
  await decide(site, mine, { grant: [...required, ...optional] });
  site.viewer = '9';
  expect((await site.mount({ app: 'asking' })).consent.needed).toEqual(required);
  // The card was shown to 7, and somebody else signed in meanwhile.
  expect((await site.post('/gantry/grants', { token: mine.token, grant: required })).status).toBe(401);
  expect((await site.mount({ app: 'asking' })).consent.needed).toEqual(required);
  site.viewer = undefined;
  const visit = await site.mount({ app: 'asking' });
  expect(visit).toMatchObject({ consent: { needed: [], optional: [] }, context: { permissions: [] } });
  expect((await site.post('/gantry/grants', { token: visit.token, grant: required })).status).toBe(401);
});

test.each([
  ['another page', { origin: 'https://evil.example' }, 403],
  ["an app's frame", { origin: 'null' }, 403],
  ['an app on a host of its own', { origin: 'http://abc.apps.example' }, 403],
  ['a form', { 'gantry-container': undefined }, 403],
  ['a form of text', { 'content-type': 'text/plain' }, 415],
  ['the page itself', {}, 200],
])('%s is answered by its origin alone (security rule 10)', async (_, headers, status) => {
  const site = await openAsking();
  const { token } = await site.mount({ app: 'asking' });
  const response = await site.post('/gantry/grants', { token, grant: required }, headers);
  expect(response.status).toBe(status);
  const { needed } = (await site.mount({ app: 'asking' })).consent;
  expect(needed).toEqual(status === 200 ? [] : required);
});

test('without a token of this site nothing is decided (security rule 9)', async () => {
  const site = await openAsking();
  const { token } = await site.mount({ app: 'asking' });
  for (const forged of [undefined, '', 'asking', `${token}x`, token.replace(/\.[^.]*$/, '.')]) {
    const response = await site.post('/gantry/grants', { token: forged, grant: required });
    expect(response.ok).toBe(false);
  }
  expect((await site.mount({ app: 'asking' })).consent.needed).toEqual(required);
});

test('an update that declares more needs consent for the new permissions only', async () => {
  const site = await openAsking();
  await decide(site, await site.mount({ app: 'asking' }), { grant: required });
  await register(site, { uses: ['people.get', 'activities.get'], fields: ['birthday', 'gender'], optional: {} });
  const gadget = await site.mount({ app: 'asking' });
  expect(gadget.consent).toEqual({ needed: ['activities', 'people.gender'], optional: [] });
  expect(await readBirthday(site, gadget)).toEqual(birthday);
  const digests = await site.db.query(sql`select distinct manifest_digest from app_grants`);
  await decide(site, gadget, { grant: gadget.consent.needed });
  expect(digests).toHaveLength(1);
  expect(await site.db.query(sql`select distinct manifest_digest from app_grants`)).toHaveLength(2);
  await register(site); // an undeclared permission is not granted
  expect((await site.mount({ app: 'asking' })).context.permissions).toEqual([...required, 'people.gender']);
});

test('a new host or another server needs consent before the app reads any more', async () => {
  const site = await openAsking();
  await decide(site, await site.mount({ app: 'asking' }), { grant: required });
  await register(site, { hosts: ['https://images.example'] });
  const served = await site.mount({ app: 'asking' });
  expect(served.consent.needed).toEqual(['host:https://images.example']);
  expect(await readBirthday(site, served)).toEqual(refused('host:https://images.example'));
  await decide(site, served, { grant: served.consent.needed });
  expect(await readBirthday(site, served)).toEqual(birthday);

  await register(site, {}, { url: 'https://apps.example/asking' });
  const remote = await site.mount({ app: 'asking' });
  expect(remote.consent.needed).toEqual([...required, 'server:https://apps.example']); // it is another app
  expect(await readBirthday(site, remote)).toEqual(refused('server:https://apps.example'));
  await decide(site, remote, { grant: remote.consent.needed });
  expect(await readBirthday(site, remote)).toEqual(birthday);
});

test('a trusted app needs no consent, and can still be revoked', async () => {
  const site = await openAsking();
  await register(site, {}, { trusted: true });
  const gadget = await site.mount({ app: 'asking' });
  expect(gadget).toMatchObject({ consent: { needed: [] }, context: { permissions: [...required, ...optional] } });
  expect(await readBirthday(site, gadget)).toEqual(birthday);
  await decide(site, gadget, { revoke: required });
  expect(await readBirthday(site, gadget)).toEqual(refused(...required));
  expect((await site.mount({ app: 'asking' })).consent.needed).toEqual(required);
});

test('members list their grants, and revoke all of them', async () => {
  const site = await openAsking();
  await removeApp(site.db, 'notes');
  await removeApp(site.db, 'elsewhere');
  await removeApp(site.db, 'friends');
  expect(await listGrants(site.db, '7')).toEqual([]);
  const gadget = await site.mount({ app: 'asking' });
  await decide(site, gadget, { grant: required });
  expect(await listGrants(site.db, '7')).toEqual([
    { id: 'asking', title: 'Birthdays', granted: required, decidedAtMs: site.nowMs },
  ]);
  expect(await listGrants(site.db, '9')).toEqual([]);
  const log = silentLogger;
  const decisions = { db: site.db, changes: proxyChangeLog, installs: undefined, now: () => site.nowMs, log };
  const revoke = () => revokeGrants(decisions, { viewer: '7', app: 'asking' });
  expect([await revoke(), await revoke()]).toEqual([true, false]);
  expect(await readBirthday(site, gadget)).toEqual(refused(...required));
  expect(await listGrants(site.db, '7')).toEqual([]);
});

test('another app under the id of a removed one needs consent', async () => {
  const site = await openAsking();
  await decide(site, await site.mount({ app: 'asking' }), { grant: required });
  await site.db.query(sql`insert into write_log (viewer, app, id, digest, state, attempt, at_ms)
    values ('7', 'asking', 'w', 'd', 'done', 'a', 1), ('7', 'notes', 'w', 'd', 'done', 'a', 1)`);
  await removeApp(site.db, 'asking');
  expect(await site.db.query(sql`select app from write_log`)).toEqual([{ app: 'notes' }]);
  await register(site);
  expect((await site.mount({ app: 'asking' })).consent.needed).toEqual(required);
});

test('storage is for an app on a host of its own; elsewhere the app is refused loudly (security rule 4)', async () => {
  const site = await openSite({ appsHost: 'http://*.apps.example' });
  await register(site, { storage: true });
  expect(await site.mount({ app: 'asking' })).toMatchObject({
    sandbox: 'allow-scripts allow-forms allow-same-origin',
    consent: { needed: [...required, 'storage'] },
  });
  for (const appsHost of [undefined, 'http://sandbox.example']) {
    const shared = await openSite(appsHost === undefined ? {} : { appsHost });
    await register(shared, { storage: true });
    await expect(shared.mount({ app: 'asking' })).rejects.toThrow(/asks for storage/);
    expect(shared.logged.join()).toContain('asks for storage');
  }
  const remote = await openSite({ appsHost: 'http://*.apps.example' });
  await register(remote, { storage: true }, { url: 'https://quiz.example/' });
  expect((await remote.mount({ app: 'asking' })).sandbox).toContain('allow-same-origin');
  for (const url of [`${siteUrl}/page`, 'http://abc.apps.example/', 'http://apps.example/']) {
    await register(remote, { storage: true }, { url });
    await expect(remote.mount({ app: 'asking' })).rejects.toThrow(/asks for storage/);
  }
});
