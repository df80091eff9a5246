import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
beforeEach(async () => {
  site = await runSite();
});
afterEach(() => site.stop());

const get = async (path: string) => {
  const answer = await site.ask(path);
  return { status: answer.status, body: (await answer.json()) as Body };
};

interface Body {
  readonly entry?: unknown;
  readonly itemsPerPage?: number;
  readonly error?: { readonly code: number; readonly message: string };
}

test('settings are listed with what they may be, and one is shown by itself', async () => {
  const { out, code } = await site.gantry('settings', 'list');
  expect(code).toBe(0);
  expect(out).toContain('minimumInterval  30      whole seconds from 0 to 86400');
  expect(await site.gantry('settings', 'get', 'timeZone')).toMatchObject({ code: 0, out: 'UTC' });
  expect(JSON.parse((await site.gantry('settings', 'get', 'albums', '--json')).out)).toEqual({ albums: true });
  expect(JSON.parse((await site.gantry('settings', 'list', '--json')).out)).toMatchObject({
    name: 'Gantry',
    timeZone: 'UTC',
    apiVersion: '1.2',
    albums: true,
    minimumInterval: 30,
    pageSize: 20,
  });
});

test('a changed page size holds from the next request on', async () => {
  expect((await get('/people/@me/@friends')).body.itemsPerPage).toBe(20);
  expect(await site.gantry('settings', 'set', 'pageSize', '1')).toMatchObject({ code: 0, out: 'pageSize is now 1.' });
  expect((await get('/people/@me/@friends')).body).toMatchObject({ itemsPerPage: 1, entry: [{ id: '2' }] });
});

test('a changed minimum interval holds from the next post on, and 0 switches it off (contract §4)', async () => {
  const post = async () => (await site.ask('/activities/@me/@self', { method: 'POST', body: { title: 'x' } })).status;
  expect([await post(), await post()]).toEqual([200, 500]);
  await site.gantry('settings', 'set', 'minimumInterval', '0');
  expect([await post(), await post()]).toEqual([200, 200]);
  await site.gantry('settings', 'set', 'minimumInterval', '3600');
  expect(await post()).toBe(500);
});

test('the time zone holds from the next request on (contract §3)', async () => {
  const offset = async () => {
    const { body } = await get('/activities/@me/@self');
    return (body.entry as { postedTime: string }[])[0]?.postedTime.slice(-6);
  };
  await site.ask('/activities/@me/@self', { method: 'POST', body: { title: 'x' } });
  expect(await offset()).toBe('+00:00');
  await site.gantry('settings', 'set', 'timeZone', 'Asia/Kolkata');
  expect(await offset()).toBe('+05:30');
});

test('version 0.9.3 takes @friend instead of @friends, and knows no hasApp (contract §7)', async () => {
  const rows = ['/people/@me/', '/activities/@me/', '/appdata/@me/'].flatMap((service) =>
    ['@friends', '@friend'].map((group) => service + group + (service === '/appdata/@me/' ? '/@app' : '')),
  );
  const statuses = () => Promise.all(rows.map(async (row) => (await get(row)).status));
  expect(await statuses()).toEqual([200, 404, 200, 404, 200, 404]);
  expect((await get('/people/@me/@self')).body).toMatchObject({ entry: { id: '1', hasApp: true } });
  await site.gantry('settings', 'set', 'apiVersion', '0.9.3');
  expect(await statuses()).toEqual([404, 200, 404, 200, 404, 200]);
  expect((await get('/people/@me/@self')).body.entry).not.toHaveProperty('hasApp');
});

test('without the album extension its rows are 501, and no other row changes (contract §4)', async () => {
  const rows = ['/albums/@me/@self', '/albums/@me/@friends', '/mediaItems/@me/@self/1'];
  const statuses = () => Promise.all(rows.map(async (row) => (await get(row)).status));
  expect(await statuses()).toEqual([200, 200, 404]);
  await site.gantry('settings', 'set', 'albums', 'false');
  expect(await statuses()).toEqual([501, 501, 501]);
  expect((await get('/albums/@me')).status).toBe(404);
  expect((await get('/people/@me/@self')).status).toBe(200);
  await site.gantry('settings', 'set', 'albums', 'true');
  expect(await statuses()).toEqual([200, 200, 404]);
});

test.each([
  [['settings'], 2, 'gantry settings takes list, get or set. See gantry settings --help.'],
  [['settings', 'get'], 2, 'gantry settings get takes one name. See gantry settings --help.'],
  [['settings', 'get', 'colour'], 2, /^There is no setting colour: the settings are name, timeZone,/],
  [['settings', 'set', '__proto__', 'x'], 2, /^There is no setting __proto__/],
  [['settings', 'set', 'name'], 2, /^gantry settings set takes a name and a value/],
  [['settings', 'set', 'name', 'Our', 'Site'], 2, /put a value with spaces in quotes/],
  [['settings', 'list', 'name'], 2, /^gantry settings list takes no name/],
  [['settings', 'set', 'pageSize', '0'], 1, 'pageSize must be a whole number from 1 to 100.'],
  [['settings', 'set', 'timeZone', 'Moon/Sea'], 1, 'timeZone must be a time zone such as Europe/London.'],
] as const)('%j is refused with a hint, and nothing changes', async (args, code, err) => {
  const before = (await site.gantry('settings', 'list')).out;
  const result = await site.gantry(...args);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(err);
  expect((await site.gantry('settings', 'list')).out).toBe(before);
});
