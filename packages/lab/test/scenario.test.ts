import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import {
  createLab,
  findWorld,
  type Lab,
  type LabOptions,
  type PreparedWorld,
  personaHeader,
  prepareWorld,
} from '../src/index.ts';
import { app, openPage, small, url } from './page.ts';

let world: PreparedWorld;
beforeAll(async () => {
  world = await prepareWorld(await findWorld(small));
});
afterAll(() => world.close());

async function lab(scenario: LabOptions['scenario'] = {}, more: Partial<LabOptions> = {}): Promise<Lab> {
  const made = await createLab({ url, apps: [app], world, scenario, ...more });
  onTestFinished(() => made.close());
  return made;
}

test('by default a member allowed everything that an app declares, and it is the member’s own decision', async () => {
  const { context, consent } = await openPage(await lab(), 'eva').mount();
  expect(consent.needed).toEqual([]);
  expect(context.permissions).toContain('people.birthday');
  expect(context).toMatchObject({ viewer: 'eva', app: { title: 'Notes' } });
});

test('permissions none: the member is asked for all of it', async () => {
  const page = openPage(await lab({ permissions: 'none' }), 'eva');
  const { consent, context, revokedAtMs } = await page.mount();
  expect(consent.needed).toContain('people.birthday');
  expect([context.permissions, revokedAtMs]).toEqual([[], 0]);
  expect(await page.call('people.get')).toMatchObject({ error: { data: { reason: 'NOT_GRANTED' } } });
});

test('permissions without:NAME: that one was given and taken back', async () => {
  const made = await lab({ permissions: 'without:people.birthday' });
  const { consent, revokedAtMs } = await openPage(made, 'eva').mount();
  expect(consent.needed).toEqual(['people.birthday']);
  expect(revokedAtMs).toBeGreaterThan(0);
  await made.permissions.set('all');
  expect((await openPage(made, 'eva').mount()).consent.needed).toEqual([]);
  await made.permissions.set('none');
  expect((await openPage(made, 'eva').mount()).context.permissions).toEqual([]);
});

test('the site speaks the version of the API, and has the albums, that the scenario says', async () => {
  expect(await openPage(await lab(), 'eva').call('albums.get')).toHaveProperty('ok');
  const without = openPage(await lab({ albums: false }), 'eva');
  expect(await without.call('albums.get')).toMatchObject({ error: { code: 501 } });
  const old = await lab({ api: '0.9.3' });
  const settings = await old.gantry.fetch(new Request(`${url}/openapi.json`), '/openapi.json');
  expect(await settings.text()).toContain('0.9.3');
});

test.each([
  [{ persona: 'nils' }, 'This world has no member nils.'],
  [{ owner: 'nils' }, 'This world has no member nils.'],
  [{ permissions: 'without:telepathy' }, 'No app here declares the permission telepathy'],
  [{ permissions: 'some' }, 'permissions is all, none or without:NAME.'],
  [{ network: 'wet' }, 'network is one of fast, slow, offline, fail-once.'],
  [{ interval: -1 }, 'minimumInterval must be whole seconds'],
  [{ api: '0.8' }, 'apiVersion must be 1.2 or 0.9.3'],
  [{ clock: -5 }, 'clock is a number of seconds'],
])('a scenario that cannot be is refused in one line: %o', async (scenario, message) => {
  await expect(lab(scenario as LabOptions['scenario'])).rejects.toThrow(message);
});

test('a page names its persona; without one, for an unknown one or as nobody, no member is signed in', async () => {
  const made = await lab();
  for (const persona of [undefined, 'nobody', 'nils']) {
    expect((await openPage(made, persona).mount()).context).not.toHaveProperty('viewer');
  }
  expect((await openPage(made, 'finn').mount()).context.viewer).toBe('finn');
});

test('no page of another origin can name a persona: no preflight is granted, and the header alone counts for nothing (security rule 10)', async () => {
  const made = await lab();
  const preflight = await made.fetch(
    new Request(`${url}/gantry/instances`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': `${personaHeader}, Gantry-Container`,
      },
    }),
  );
  expect(preflight.ok).toBe(false);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  const page = openPage(made, 'eva');
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await page.post('/gantry/instances', [{ app: 'zettel' }], headers as Record<string, string>);
    expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining('eva')]);
  }
  const navigation = (headers: Record<string, string>) =>
    made.fetch(new Request(`${url}/account/apps`, { headers: { [personaHeader]: 'eva', ...headers } }));
  expect((await navigation({})).status).toBe(200); // the control: not a browser's request
  expect((await navigation({ 'sec-fetch-site': 'cross-site' })).status).not.toBe(200);
});

test('labs of one world change nothing for each other', async () => {
  const [one, two] = [await lab({ interval: 0 }), await lab({ interval: 0 })];
  await openPage(one, 'eva').call('activities.create', { activity: { title: 'only here' } });
  expect(await openPage(two, 'eva').call('activities.get')).toMatchObject({ ok: { totalResults: 0 } });
});

test('a changed manifest is registered anew: new permissions are named, and allowed by members who allowed all', async () => {
  const made = await lab();
  const folder = folderForTest();
  await cp(app.folder, folder, { recursive: true });
  const registration = { id: 'zettel', folder };
  await made.register(registration);
  const manifest = JSON.parse(await readFile(join(folder, 'gadget.json'), 'utf8'));
  const page = openPage(made, 'eva');
  await page.mount();
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ ...manifest, fields: ['age', 'gender'] }));
  expect(await made.register(registration)).toEqual({ asks: ['people.gender'] });
  expect((await page.mount()).consent.needed).toEqual([]);
  expect(await made.apps()).toMatchObject([{ id: 'zettel', name: 'Notes', views: ['home', 'profile', 'canvas'] }]);
  await writeFile(join(folder, 'gadget.json'), '{');
  await expect(made.register(registration)).rejects.toThrow('gadget.json:1:2 is not JSON');
  expect(await page.call('people.get')).toHaveProperty('ok');
});

test('personas: the member with the most going on, one with few friends and a stranger', async () => {
  const file = {
    ...small(),
    members: [...small().members, { id: 'hal', displayName: 'Hal Busy' }],
    friendships: [...small().friendships, ['hal', 'eva'], ['hal', 'finn']],
    activities: [{ id: 'a', userId: 'hal', title: 'runs', postedTime: '2026-05-01T09:30:00Z' }],
    albums: [{ id: 'b', ownerId: 'hal', title: 'Runs' }],
  };
  expect((await lab({}, { world: () => file })).personas).toEqual([
    { id: 'hal', name: 'Hal Busy', about: '2 friends, 1 post, 1 album' },
    { id: 'finn', name: 'Finn Moor', about: '2 friends' },
    { id: 'gil', name: 'Gil Stray', about: 'no friends' },
  ]);
});

test('nothing is left on the disk, unless data is kept: then the next lab goes on with it', async () => {
  const tmp = folderForTest();
  vi.stubEnv('TMPDIR', tmp); // other tests make folders at the same time
  const made = await createLab({ url, apps: [app], world: small });
  await openPage(made, 'eva').mount();
  await made.close();
  expect(await readdir(tmp)).toEqual([]);

  const keep = join(tmp, 'kept');
  for (const total of [1, 2]) {
    const again = await createLab({ url, apps: [app], world: small, keep, scenario: { interval: 0 } });
    const page = openPage(again, 'eva');
    await page.call('activities.create', { activity: { title: `post ${total}` } });
    expect(await page.call('activities.get')).toMatchObject({ ok: { totalResults: total } });
    await again.close();
  }
  expect(await readdir(tmp)).toEqual(['kept']);
  vi.unstubAllEnvs();
});

test('a picture that one lab deletes stays in the others: they share its bytes, not its name', async () => {
  const folder = folderForTest();
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await writeFile(join(folder, 'dot.png'), Buffer.from(png, 'base64'));
  const file = {
    ...small(),
    albums: [{ id: 'b', ownerId: 'eva', title: 'Dots' }],
    mediaItems: [{ id: 'i', albumId: 'b', file: 'dot.png' }],
  };
  const pictures = await prepareWorld({ name: 'dots', file, folder });
  const [one, two] = [await lab({}, { world: pictures }), await lab({}, { world: pictures })];
  await pictures.close();
  const { ok } = (await openPage(one, 'eva').call('mediaItems.get', { albumId: 'b' })) as {
    ok: { list: { url: string }[] };
  };
  const address = new URL(ok.list[0]?.url ?? '', url);
  const token = address.pathname.split('/').at(-1) as string;
  expect([await one.hasMedia(token), await (await lab()).hasMedia(token)]).toEqual([true, false]);
  await rm(one.gantry.stores.mediaFolder, { recursive: true });
  const statusOn = async (made: Lab) => (await made.fetch(new Request(address))).status;
  expect([await statusOn(one), await statusOn(two)]).toEqual([404, 200]);
});
