import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importWorld, serviceMigrations } from '@gantry/service';
import { migrate, openSqlite } from '@gantry/store';
import { isId } from '@gantry/wire';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../packages/wire/test/temporary-folder.ts';
import { friendsByMember } from '../world/friendships.ts';
import type { World } from '../world/records.ts';
import { createWorld, writeWorld } from '../world.ts';

const now = Date.UTC(2026, 10, 21, 9, 30);
const world = createWorld({ now });
const memberIds = new Set(world.members.map(({ id }) => id));
const friends = friendsByMember(world.friendships);

test('the same seed and moment make the same world', () => {
  expect(JSON.stringify(createWorld({ now }))).toBe(JSON.stringify(world));
});

test('another seed makes another world', () => {
  expect(createWorld({ now, seed: 'elsewhere' }).members[1]).not.toEqual(world.members[1]);
});

test('members are 1 to 320, each with a name of their own', () => {
  expect(world.members.map(({ id }) => id)).toEqual(Array.from({ length: 320 }, (_, index) => String(index + 1)));
  expect(new Set(world.members.map(({ displayName }) => displayName)).size).toBe(320);
});

test('names come in many scripts, with accents and apostrophes', () => {
  const names = world.members.map(({ displayName }) => displayName).join('\n');
  for (const script of ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Han', 'Hangul', 'Hiragana']) {
    expect(names, script).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
  }
  expect(names).toMatch(/[ØŁĐÞ]/);
  expect(names).toMatch(/’/);
});

test('ids of every kind are well-formed and unique', () => {
  for (const kind of ['members', 'apps', 'activities', 'albums', 'mediaItems'] as const) {
    const ids = world[kind].map(({ id }) => id);
    expect(ids.every(isId), kind).toBe(true);
    expect(new Set(ids).size, kind).toBe(ids.length);
  }
});

test('friendships join two different members, once', () => {
  const pairs = world.friendships.map(([a, b]) => [a, b].sort().join(' '));
  expect(world.friendships.every(([a, b]) => a !== b && memberIds.has(a) && memberIds.has(b))).toBe(true);
  expect(new Set(pairs).size).toBe(pairs.length);
});

test('some members have many friends, some none, and member 1 more than two pages of them', () => {
  const sizes = world.members.map(({ id }) => friends.get(id)?.size ?? 0).sort((a, b) => b - a);
  const median = sizes[160] as number;
  expect(friends.get('1')?.size).toBe(47);
  expect(sizes[4]).toBeGreaterThan(2.5 * median);
  expect(sizes.at(-1)).toBe(0);
});

test('no member blocks a friend, and one blocked member 1', () => {
  expect(world.blocks.every(([blocker, blocked]) => !friends.get(blocker)?.has(blocked))).toBe(true);
  expect(world.blocks.some(([, blocked]) => blocked === '1')).toBe(true);
});

test('every reference names a record', () => {
  const apps = new Set(world.apps.map(({ id }) => id));
  const albums = new Set(world.albums.map(({ id }) => id));
  expect(world.blocks.flat().every((id) => memberIds.has(id))).toBe(true);
  expect(world.installs.every(({ appId, memberId }) => apps.has(appId) && memberIds.has(memberId))).toBe(true);
  expect(world.activities.every(({ appId, userId }) => apps.has(appId) && memberIds.has(userId))).toBe(true);
  expect(world.appData.every(({ appId, memberId }) => apps.has(appId) && memberIds.has(memberId))).toBe(true);
  expect(world.albums.every(({ ownerId }) => memberIds.has(ownerId))).toBe(true);
  expect(world.mediaItems.every(({ albumId }) => albums.has(albumId))).toBe(true);
});

test('the first members have something in every gadget', () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']) {
    expect(world.installs.filter(({ memberId }) => memberId === id).length, id).toBe(4);
    expect(friends.get(id)?.size, id).toBeGreaterThan(0);
    expect(
      world.albums.some(({ ownerId }) => ownerId === id),
      id,
    ).toBe(true);
  }
});

test('member 1 has all four apps, and each member who used an app has it', () => {
  const installed = new Set(world.installs.map(({ appId, memberId }) => `${appId} ${memberId}`));
  expect(world.apps.every(({ id }) => installed.has(`${id} 1`))).toBe(true);
  expect(world.activities.filter(({ appId, userId }) => !installed.has(`${appId} ${userId}`))).toEqual([]);
  expect(world.appData.filter(({ appId, memberId }) => !installed.has(`${appId} ${memberId}`))).toEqual([]);
});

test('activities reach back over months, none is in the future, and the newest are minutes old', () => {
  const times = world.activities.map(({ postedTime }) => Date.parse(postedTime));
  expect(world.activities.length).toBeGreaterThanOrEqual(3_000);
  expect(Math.min(...times)).toBeLessThan(now - 365 * 86_400_000);
  expect(Math.max(...times)).toBeLessThanOrEqual(now);
  expect(Math.max(...times)).toBeGreaterThan(now - 10 * 60_000);
});

test('activity titles are finished sentences within the limit (contract §2)', () => {
  expect(world.activities.filter(({ title }) => /[{}[\]|]|undefined/.test(title) || title.trim() === '')).toEqual([]);
  expect(Math.max(...world.activities.map(({ title }) => [...title].length))).toBeLessThanOrEqual(1_000);
});

test('there are albums of many members, several of member 1, and none is empty', () => {
  const filled = new Set(world.mediaItems.map(({ albumId }) => albumId));
  expect(world.albums.length).toBeGreaterThanOrEqual(60);
  expect(world.mediaItems.length).toBeGreaterThanOrEqual(150);
  expect(new Set(world.albums.map(({ ownerId }) => ownerId)).size).toBeGreaterThan(30);
  expect(world.albums.filter(({ ownerId }) => ownerId === '1').length).toBeGreaterThanOrEqual(5);
  expect(world.albums.filter(({ id }) => !filled.has(id))).toEqual([]);
});

const folder = folderForFile();
let written: World;

beforeAll(async () => {
  const { file } = await writeWorld(folder, { now });
  written = JSON.parse(await readFile(file, 'utf8'));
});

test('the written file is the world', () => {
  expect(written).toEqual(JSON.parse(JSON.stringify(world)));
});

test('every media item has a file of its own, and it is a picture', async () => {
  const files = written.mediaItems.map(({ file }) => file);
  const pictures = await Promise.all(files.map((file) => sharp(join(folder, file)).metadata()));
  expect(new Set(files).size).toBe(files.length);
  expect(pictures.every(({ format, width, height }) => format === 'jpeg' && width === 960 && height === 640)).toBe(
    true,
  );
});

test('the whole world can be imported (contract §9)', async () => {
  const db = openSqlite({ file: ':memory:' });
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const mediaFolder = await mkdtemp(join(folder, 'media-'));
  const { counts } = await importWorld(db, written, { folder, mediaFolder, secretKey: new Uint8Array(32) });
  await db.close();
  expect(counts).toMatchObject({ members: 320, apps: 4, mediaItems: written.mediaItems.length });
  expect(counts.activities).toBe(written.activities.length);
});

test('a folder that holds the world is left as it is', async () => {
  const before = await stat(join(folder, 'world.json'));
  const again = await writeWorld(folder, { now: now + 86_400_000 });
  expect(again.written).toBe(false);
  expect((await stat(join(folder, 'world.json'))).mtimeMs).toBe(before.mtimeMs);
});
