import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addConsumer, importWorld } from '@gantry/service';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveApp } from '../../../service/test/apps.ts';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { createSiteProxy } from '../../src/create-site-proxy.ts';
import { openProxyStores } from '../../src/data/open-stores.ts';
import {
  addApp,
  dropApp,
  type GantryHandler,
  type RunningServer,
  readServerConfiguration,
  startServer,
} from '../../src/index.ts';
import { type GadgetPage, openPage } from '../gadget-page.ts';
import { signed } from '../running-site.ts';
import { viewerKey, viewerToken } from '../viewer-token.ts';

// Two Gantries: one with the members and the API, and `gantry proxy` before it with the pages. The
// app's key is one that works only for members who have the app.
const pages = 'http://pages.example';
const uses = ['people.get', 'appdata.get', 'appdata.update'];
const required = ['people', 'appdata', 'appdata.write'];
const app = { key: 'dice-key', secret: 'dice-secret' };
const records = { key: 'records-key', secret: 'records-secret' };
const folder = folderForFile();
let site: RunningServer;
let withKey: GantryHandler;
let withoutKey: GantryHandler;

beforeAll(async () => {
  site = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', join(folder, 'site')], {}),
  });
  const { db, secretKey } = site.stores;
  const members = ['pia', 'quentin'].map((id) => ({ id, displayName: id }));
  await importWorld(db, { members, friendships: [['pia', 'quentin']] }, { ...site.stores, folder });
  await saveApp(db, { id: 'dice', title: 'Dice' });
  await addConsumer(db, { secretKey, kind: 'app', appId: 'dice', ...app });
  await addConsumer(db, { secretKey, kind: 'admin', anyMember: true, ...records });
  withKey = await openProxy('with', { records });
  withoutKey = await openProxy('without', {});
});
afterAll(async () => {
  for (const one of [withKey, withoutKey]) await one.close();
  await site.close();
});

async function openProxy(name: string, more: { readonly records?: typeof records }): Promise<GantryHandler> {
  const data = join(folder, name);
  const files = join(folder, `${name}-app`);
  await mkdir(files);
  await writeFile(join(files, 'gadget.json'), JSON.stringify({ name: 'Dice', page: 'index.html', uses }));
  await writeFile(join(files, 'index.html'), '<!doctype html>');
  const where = { data, database: join(data, 'gantry.db') };
  const stores = await openProxyStores(where);
  await addApp(stores, { id: 'dice', folder: files, consumer: app });
  await stores.db.close();
  return createSiteProxy({
    ...where,
    url: pages,
    viewerKey: Buffer.from(viewerKey),
    log: pino({ level: 'silent' }),
    upstreamUrl: `${site.url}/social/rest`,
    mediaOrigins: [],
    honoursKeys: true,
    ...more,
  });
}

async function as(member: string, proxy: GantryHandler): Promise<GadgetPage> {
  return openPage(proxy, { url: pages, member, headers: { authorization: `Bearer ${viewerToken(member, pages)}` } });
}

/** With the app's key, of one member, at the site itself. */
async function askSite(member: string, path: string): Promise<number> {
  const url = `${site.url}/social/rest${path}`;
  return (await fetch(url, signed(url, { as: member, ...app }))).status;
}

const scores = (page: GadgetPage) => page.call('dice', 'appdata.get', { userId: '@viewer', groupId: '@friends' });

test('without --records-key the site gets no records, and nothing is claimed', async () => {
  const pia = await as('pia', withoutKey);
  await pia.decide('dice', { grant: required });
  expect(await pia.mount('dice')).not.toHaveProperty('canRemoveData');
  expect(await pia.call('dice', 'appdata.update', { data: { score: 7 } })).toHaveProperty('error');
  expect(await askSite('pia', '/people/@me/@self')).toBe(401);
});

test('with --records-key two friends keep scores, and the app’s key reaches what they granted (contract §6)', async () => {
  const [pia, quentin] = [await as('pia', withKey), await as('quentin', withKey)];
  for (const page of [pia, quentin]) await page.decide('dice', { grant: required });
  expect(await pia.call('dice', 'people.get')).toMatchObject({ ok: { id: 'pia', hasApp: true } });
  expect(await pia.call('dice', 'appdata.update', { data: { score: 7 } })).toEqual({ id: 'c', ok: {} });
  expect(await scores(quentin)).toEqual({ id: 'c', ok: { pia: { score: '7' } } });
  expect(await askSite('pia', '/people/@me/@self')).toBe(200);
  expect(await askSite('pia', '/people/@me/@self?fields=birthday')).toBe(403);
  expect(await askSite('pia', '/albums/@me/@self')).toBe(403);

  await pia.decide('dice', { revoke: required });
  expect(await askSite('pia', '/people/@me/@self')).toBe(401);
  await pia.decide('dice', { grant: required });
  expect(await scores(pia)).toEqual({ id: 'c', ok: {} });
  expect(await scores(quentin)).toEqual({ id: 'c', ok: { pia: { score: '7' } } });
  expect((await pia.mount('dice')).canRemoveData).toBe(true);
  await pia.decide('dice', { revoke: required, removesData: true });
  await pia.decide('dice', { grant: required });
  expect(await scores(quentin)).toEqual({ id: 'c', ok: {} });
});

test('an app that the proxy removes is nobody’s at the site', async () => {
  const quentin = await as('quentin', withKey);
  await quentin.decide('dice', { grant: required });
  await dropApp(withKey.stores, 'dice');
  await expect.poll(() => askSite('quentin', '/people/@me/@self')).toBe(401);
});
