import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createPasswords, importWorld, readSettings } from '@gantry/service';
import { sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { apps, ids, items, openSite, type Site, secretKey, village } from '../site.ts';

const folder = await imageFolder();
execFileSync('mkfifo', [join(folder, 'pipe.jpg')]);
const member = (id: string, more = {}) => ({ id, displayName: `M${id}`, ...more });

function load(site: Site, world: unknown, more = {}) {
  return importWorld(site.db, world, { folder, mediaFolder: site.mediaFolder, secretKey, ...more });
}

async function counts(site: Site): Promise<unknown> {
  const tables = sql`select
    (select count(*) from member) as members, (select count(*) from friendship) as friendships,
    (select count(*) from activity) as activities, (select count(*) from setting) as settings,
    (select count(*) from media_item) as items, (select count(*) from app_data) as keys`;
  return { ...(await site.db.query(tables))[0] };
}

describe.each(databases)('import on $name', ({ open }) => {
  const bad: readonly (readonly [object, string])[] = [
    [{ members: [member('1'), { id: '2' }] }, 'members[1].displayName is missing.'],
    [{ members: [member('1'), member('2', { displayName: 7 })] }, 'members[1].displayName must be text.'],
    [{ members: [member('1', { displayName: ' ' })] }, 'members[0].displayName must not be empty.'],
    [{ members: [member('a b')] }, 'members[0].id must be an id: 1 to 64 letters, digits, ".", "_", ":" and "-".'],
    [{ members: [member('1'), member('1')] }, 'members[1] has the id of an earlier record.'],
    [{ members: [member('1', { birthday: '1990/02/30' })] }, 'members[0].birthday must be a date YYYY/MM/DD.'],
    [{ members: [member('1', { birthday: '1990-02-03' })] }, 'members[0].birthday must be a date YYYY/MM/DD.'],
    [{ members: [member('1', { gender: 'x' })] }, 'members[0].gender must be male, female or empty.'],
    [
      { members: [member('1', { thumbnailUrl: 'javascript:alert(1)' })] },
      'members[0].thumbnailUrl must be an http or https address, or one relative to the site.',
    ],
    [
      { members: [member('1', { visibility: { age: 'public' } })] },
      'members[0].visibility.age must be one of site, friends, private.',
    ],
    [
      { members: [member('1', { visibility: { nickname: 'site' } })] },
      'members[0].visibility.nickname must be an object with a level for any of aboutMe, addresses, age, birthday, languagesSpoken, gender.',
    ],
    [
      { members: [member('1', { visibilty: {} })] },
      'members[0].visibilty is not known: the members are id, displayName, thumbnailUrl, aboutMe, region, birthday, gender, language, visibility, admin, password, passwordHash.',
    ],
    [{ members: [null] }, 'members[0] must be an object.'],
    [{ members: {} }, 'members must be a list.'],
    [
      { member: [] },
      'member is not known: the lists are members, friendships, blocks, apps, installs, consumers, activities, appData, albums, mediaItems.',
    ],
    [
      { members: [member('1')], friendships: [['1', '2']] },
      'friendships[0][1] names a member that does not exist: "2".',
    ],
    [{ members: [member('1')], friendships: [['1', '1']] }, 'friendships[0] must be of two different members.'],
    [{ friendships: [['1']] }, 'friendships[0][1] must be text.'],
    [{ members: [member('1')], blocks: [['1', '1']] }, 'blocks[0] must be of two different members.'],
    [
      { members: [member('1')], installs: [{ appId: 'x', memberId: '1' }] },
      'installs[0].appId names an app that does not exist: "x".',
    ],
    [
      { members: [member('1')], activities: [{ id: '1', userId: '1', title: 't', postedTime: '2026-05-01' }] },
      'activities[0].postedTime must be a time with its offset, for example 2026-05-01T09:30:00+02:00.',
    ],
    [
      { members: [member('1')], apps, appData: [{ appId: 'notes', memberId: '1', data: { 'a b': 'v' } }] },
      'appData[0].data is refused: An AppData key has 1 to 128 letters, digits, "_", "." and "-".',
    ],
    [
      { members: [member('1')], apps, appData: [{ appId: 'notes', memberId: '1', data: { k: 'x'.repeat(102_400) } }] },
      'appData[0].data is refused: AppData of one member and app may hold 1000 keys and 102400 bytes in all.',
    ],
    [
      { members: [member('1')], apps, appData: [{ appId: 'notes', memberId: '1', data: { k: 7 } }] },
      'appData[0].data is refused: The value of the AppData key k must be a string.',
    ],
    [{ consumers: [{ key: 'k', kind: 'member' }] }, 'consumers[0] is refused: A consumer needs a secret.'],
    [
      { consumers: [{ key: 'k', kind: 'app', publicKey: 'x' }] },
      'consumers[0] is refused: This is no public key in PEM (-----BEGIN PUBLIC KEY-----).',
    ],
    [
      { consumers: [{ key: 'k', secret: 's', kind: 'app', method: 'PLAINTEXT' }] },
      'consumers[0].method must be one of HMAC-SHA1, HMAC-SHA256, RSA-SHA1.',
    ],
    [
      { consumers: [{ key: 'k', secret: 's', kind: 'app' }] },
      'consumers[0] is refused: A consumer of the kind app needs the id of its app.',
    ],
    [
      { mediaItems: [{ id: 'm', albumId: 'a', url: '/m' }] },
      'mediaItems[0].albumId names an album that does not exist: "a".',
    ],
    [{ site: {} }, 'site.name is missing.'],
    [{ site: { name: 'x', timeZone: 'Mars/Olympus' } }, 'site.timeZone must be a time zone such as Europe/London.'],
    [
      { site: { name: 'x', settings: { pageSize: 0 } } },
      'site.settings.pageSize must be a whole number from 1 to 100.',
    ],
  ];

  test.each(bad)('%j is refused by its path, and nothing is stored (contract §9)', async (world, message) => {
    const site = await openSite(open);
    const before = await counts(site);
    await expect(load(site, world)).rejects.toThrow(new SocialError('BAD_REQUEST', message));
    expect(await counts(site)).toEqual(before);
  });

  test.each([undefined, null, [], 'text', 7])('a file that is %j is no world', async (world) => {
    const site = await openSite(open);
    await expect(load(site, world)).rejects.toThrow('The world file must be an object.');
  });

  const images: readonly (readonly [string])[] = [
    ...([['nothing.jpg'], ['text.jpg'], ['drawing.svg'], ['cut.png'], ['.']] as const),
    ['pipe.jpg'], // security rule 33
  ];

  test.each(images)('%s is no image, and nothing is stored (contract §9)', async (file) => {
    const site = await openSite(open);
    const world = {
      members: [member('1')],
      albums: [{ id: 'a', ownerId: '1', title: 'A' }],
      mediaItems: [
        { id: 'm1', albumId: 'a', file: 'red.jpg' },
        { id: 'm2', albumId: 'a', file },
      ],
    };
    await expect(load(site, world)).rejects.toThrow(
      'mediaItems[1].file must be a JPEG, PNG, WebP or GIF image beside the world file.',
    );
    expect(await counts(site)).toMatchObject({ members: 0, items: 0 });
  });

  test('an import that takes stored data beyond a limit is rolled back as a whole', async () => {
    const site = await openSite(open, village);
    const half = (key: string) => ({ appId: 'notes', memberId: '1', data: { [key]: 'x'.repeat(60_000) } });
    await site.add({ appData: [half('a')] });
    const before = await counts(site);
    const world = { members: [member('99')], appData: [half('b')] };
    await expect(load(site, world)).rejects.toThrow(
      'appData and the stored data together are too much: AppData of one member and app may hold 1000 keys',
    );
    expect(await counts(site)).toEqual(before);
  });

  test('import is an upsert by id: nothing is doubled, what changed is changed (contract §9)', async () => {
    const site = await openSite(open, village);
    const before = await counts(site);
    await site.add(village);
    expect(await counts(site)).toEqual(before);
    await site.add({ members: [member('2', { displayName: 'Bob' })] });
    expect((await site.get('/people/2/@self')).json.entry).toMatchObject({ displayName: 'Bob' });
    expect(ids(await site.get('/people/2/@friends'))).toEqual(['1', '3']);
  });

  test('records may refer to what an earlier import stored (contract §9)', async () => {
    const site = await openSite(open, village);
    await site.add({
      members: [member('7')],
      friendships: [['7', '1']],
      installs: [{ appId: 'notes', memberId: '7' }],
    });
    expect(ids(await site.get('/people/@me/@friends?filterBy=hasApp'))).toEqual(['2', '7']);
  });

  test('the settings of the site are stored (contract §9)', async () => {
    const site = await openSite(open);
    const settings = { apiVersion: '0.9.3', minimumInterval: 5, albums: false, pageSize: 50 };
    await load(site, { site: { name: 'Harbour', timeZone: 'Europe/London', settings } });
    expect(await readSettings(site.db)).toMatchObject({ name: 'Harbour', timeZone: 'Europe/London', ...settings });
  });

  test('the report names fields that this version does not store (contract §9)', async () => {
    const site = await openSite(open);
    const report = await load(site, {
      site: { name: 'Harbour', publicUrl: 'https://harbour.example' },
      members: [member('1', { admin: true })],
      apps: [{ id: 'notes', title: 'Notes', manifest: '/notes/gadget.json' }],
    });
    expect(report.notes).toHaveLength(2);
  });

  test('passwords are stored as hashes, once each, with progress; a repeated import ends no session (contract §9)', async () => {
    const site = await openSite(open);
    const passwords = createPasswords({ cost: { logN: 4, r: 8, p: 1 } });
    const members = Array.from({ length: 9 }, (_, index) => member(`${index}`, { password: `plain as day ${index}` }));
    const steps: unknown[] = [];
    await load(site, { members }, { passwords, onProgress: (step: unknown) => steps.push(step) });
    expect(steps).toEqual([4, 8, 9, 9, 18].map((done) => ({ done, total: 18 })));
    const stored = () => site.db.query<{ hash: string }>(sql`select * from member_password order by member_id`);
    const before = await stored();
    expect(before).toHaveLength(9);
    expect(JSON.stringify(before)).not.toContain('plain');
    expect(await passwords.matches(before[3]?.hash, 'plain as day 3')).toBe(true);
    expect(await passwords.matches(before[3]?.hash, 'plain as day 4')).toBe(false);
    await load(site, { members: [...members.slice(1), member('0', { password: 'changed today' })] }, { passwords });
    const after = await stored();
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await passwords.matches(after[0]?.hash, 'changed today')).toBe(true);
  });

  test('keys of an inactive app are refused until a file activates it (contract §5, §9)', async () => {
    const site = await openSite(open, village);
    const bring = (active?: boolean) =>
      site.add({ apps: [{ id: 'notes', title: 'Notes', ...(active !== undefined && { active }) }] });
    const status = async (key: string) => (await site.get('/people/@me/@self', { key })).status;
    await bring(false);
    expect([await status('notes-app'), await status('notes-container')]).toEqual([401, 401]);
    await bring(); // a new title does not resume the app
    expect([await status('notes-app'), await status('notes-container')]).toEqual([401, 401]);
    await bring(true);
    expect([await status('notes-app'), await status('notes-container')]).toEqual([200, 200]);
  });

  test('the report counts, and progress reaches the total', async () => {
    const site = await openSite(open);
    const steps: unknown[] = [];
    const world = { ...village, albums: [{ id: 'a', ownerId: '1', title: 'A' }] };
    const mediaItems = [{ id: 'm', albumId: 'a', file: 'red.jpg' }];
    const { counts: counted } = await load(
      site,
      { ...world, mediaItems },
      { onProgress: (step: unknown) => steps.push(step) },
    );
    expect(counted).toMatchObject({ members: 6, friendships: 5, blocks: 1, installs: 4, mediaItems: 1, activities: 0 });
    expect(steps[0]).toEqual({ done: 1, total: 27 });
    expect(steps.at(-1)).toEqual({ done: 27, total: 27 });
    const files = (await readdir(site.mediaFolder)).filter((name) => !name.startsWith('.'));
    expect(files).toHaveLength(3); // the picture and two small ones
    expect(await readdir(join(site.mediaFolder, '.drafts'))).toEqual([]);
  });

  test('pictures come from the folder of the world file only, by real path (security rule 33)', async () => {
    const site = await openSite(open, village);
    const [folder, elsewhere] = [await imageFolder(), await imageFolder()];
    await symlink(join(elsewhere, 'red.jpg'), join(folder, 'link.jpg'));
    await symlink(elsewhere, join(folder, 'way'));
    await symlink('red.jpg', join(folder, 'inner.jpg'));
    await mkdir(join(folder, 'pictures'));
    await copyFile(join(folder, 'red.jpg'), join(folder, 'pictures', '..red.jpg'));
    const bring = (file: string) =>
      load(
        site,
        { albums: [{ id: 'a', ownerId: '1', title: 'A' }], mediaItems: [{ id: 'm', albumId: 'a', file }] },
        { folder },
      );
    const outside = [
      `../${basename(elsewhere)}/red.jpg`,
      join(elsewhere, 'red.jpg'),
      'link.jpg',
      'way/red.jpg',
      `pictures/../../${basename(elsewhere)}/red.jpg`,
    ];
    for (const file of outside) {
      await expect(readFile(resolve(folder, file))).resolves.toBeDefined(); // the control: a plain read finds it
      await expect(bring(file)).rejects.toThrow(
        'mediaItems[0].file must be in the folder of the world file, and no link out of it.',
      );
    }
    for (const file of ['..', '.', 'gone.jpg', 'red.jpg/x', 'a\0b'])
      await expect(bring(file)).rejects.toThrow('file must be');
    expect((await readdir(site.mediaFolder)).filter((name) => !name.startsWith('.'))).toEqual([]);
    for (const file of ['red.jpg', './pictures/..red.jpg', 'inner.jpg', join(folder, 'red.jpg')]) await bring(file);
  });

  test('AppData of a member without the app is stored and shown to no other member (contract §6)', async () => {
    const site = await openSite(open, village);
    await site.add({ appData: [{ appId: 'notes', memberId: '5', data: { k: 'v' } }] });
    expect((await site.get('/appData/5/@self/@app')).status).toBe(403);
    expect((await site.get('/appData/@me/@self/@app', { as: '5' })).json).toEqual({ entry: { 5: { k: 'v' } } });
  });

  test('a key such as __proto__ is data in a world file, too (security rule 19)', async () => {
    const site = await openSite(open, village);
    await site.add(
      JSON.parse('{"appData":[{"appId":"notes","memberId":"1","data":{"__proto__":"v","constructor":"c"}}]}'),
    );
    expect((await site.get('/appData/@me/@self/@app')).text).toBe(
      '{"entry":{"1":{"__proto__":"v","constructor":"c"}}}',
    );
  });

  test('a large world is one transaction and pages in order', async () => {
    const site = await openSite(open, village);
    const many = Array.from({ length: 3_000 }, (_, index) => String(1_000 + index));
    await site.add({ members: many.map((id) => member(id)), friendships: many.map((id) => ['1', id]) });
    const reply = await site.get('/people/@me/@friends?startIndex=2990&count=5');
    expect(items(reply).map(({ id }) => id)).toEqual(['3987', '3988', '3989', '3990', '3991']);
    expect(reply.json.totalResults).toBe(3_003);
  });
});
