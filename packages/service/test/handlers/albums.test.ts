import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLines, writeSetting } from '@gantry/service';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { ids, items, openSite, publicUrl, type Site, secretKey, village } from '../site.ts';

const folder = await imageFolder();

const albums = [
  { id: 'a2', ownerId: '2', title: 'Boats', description: 'All of them', visibility: 'site' },
  { id: 'a10', ownerId: '2', title: 'Friends', description: '', visibility: 'friends' },
  { id: 'a3', ownerId: '2', title: 'Private', description: '', visibility: 'private' },
  { id: 'd1', ownerId: '3', title: "Di's", description: '', visibility: 'site' },
  { id: 'e1', ownerId: '4', title: "Ed's", description: '', visibility: 'site' },
];

const mediaItems = [
  { id: 'm2', albumId: 'a2', title: 'Private', description: '', visibility: 'private', file: 'red.jpg' },
  {
    id: 'm10',
    albumId: 'a2',
    title: 'Red',
    description: 'A red one',
    created: '2026-05-01 10:00:00',
    lastUpdated: '2026-05-02 11:00:00',
    file: 'red.jpg',
  },
  { id: 'm11', albumId: 'a2', title: 'For friends', visibility: 'friends', file: 'blue.png' },
];

async function openAlbums(open: Parameters<typeof openSite>[0]): Promise<Site> {
  const site = await openSite(open, village);
  await site.add({ albums, mediaItems }, folder);
  return site;
}

async function load(site: Site, url: unknown, method = 'GET'): Promise<Response> {
  return site.service.handle(new Request(String(url), { method }), String(url).slice(publicUrl.length));
}

describe.each(databases)('albums on $name', ({ open }) => {
  test('an album has the fields of §2, and those of its first visible item as its picture (§2 Album)', async () => {
    const site = await openAlbums(open);
    const reply = await site.get('/albums/2/@self');
    expect(ids(reply)).toEqual(['a2', 'a10']);
    expect(reply.json).toMatchObject({ startIndex: 0, totalResults: 2, itemsPerPage: 20 });
    expect(items(reply)[0]).toEqual({
      id: 'a2',
      title: 'Boats',
      description: 'All of them',
      mediaItemCount: 2,
      ownerId: '2',
      thumbnailUrl: items(await site.get('/mediaitems/2/@self/a2'))[0]?.thumbnailUrl,
      mediaType: 'IMAGE',
    });
    expect(items(reply)[1]).toMatchObject({ mediaItemCount: 0, thumbnailUrl: '' });
  });

  test('mediaItemCount and totals count what the viewer may see (contract §6)', async () => {
    const site = await openAlbums(open);
    const seen = async (as: string) =>
      items(await site.get('/albums/2/@self', { as })).map((album) => album.mediaItemCount);
    expect(await seen('5')).toEqual([1]);
    expect(await seen('1')).toEqual([2, 0]);
    expect(await seen('2')).toEqual([3, 0, 0]);
    expect((await site.get('/mediaitems/2/@self/a2', { as: '5' })).json.totalResults).toBe(1);
  });

  test('a media item has the fields of §2 (§2 MediaItem)', async () => {
    const site = await openAlbums(open);
    const reply = await site.get('/mediaItems/2/@self/a2');
    expect(ids(reply)).toEqual(['m10', 'm11']);
    expect(items(reply)[0]).toEqual({
      id: 'm10',
      albumId: 'a2',
      title: 'Red',
      description: 'A red one',
      created: '2026-05-01 10:00:00',
      lastUpdated: '2026-05-02 11:00:00',
      fileSize: expect.stringMatching(/^\d+$/),
      thumbnailUrl: expect.stringMatching(/^https:\/\/social\.example\/gantry\/media\/[\w-]{22}$/),
      type: 'IMAGE',
      url: expect.stringMatching(/^https:\/\/social\.example\/gantry\/media\/[\w-]{22}$/),
    });
  });

  test("times of items are read and written in the site's time zone (contract §3)", async () => {
    const site = await openSite(open, { ...village, site: { name: 'Village', timeZone: 'Europe/Paris' } });
    await site.add({ albums, mediaItems }, folder);
    const created = async () => items(await site.get('/mediaitems/2/@self/a2'))[0]?.created;
    expect(await created()).toBe('2026-05-01 10:00:00');
    await writeSetting(site.db, 'timeZone', 'UTC');
    expect(await created()).toBe('2026-05-01 08:00:00');
  });

  test("friends' albums, as far as the viewer sees them (contract §6)", async () => {
    const site = await openAlbums(open);
    expect(ids(await site.get('/albums/@me/@friends'))).toEqual(['a2', 'a10']);
    expect(ids(await site.get('/albums/2/@friends'))).toEqual(['d1']); // not Ed's
    expect(ids(await site.get('/albums/1,2/@friends'))).toEqual(['a2', 'd1', 'a10']);
    expect(ids(await site.get('/albums/2,3,4/@self'))).toEqual(['a2', 'd1', 'a10']);
  });

  test('an album that is unknown, invisible or of another member is 404, with the same words (contract §4, §6)', async () => {
    const site = await openAlbums(open);
    const texts = new Set<string>();
    for (const path of ['2/@self/a3', '2/@self/nothing', '3/@self/a2', '4/@self/e1', '2/@self/d1', '404/@self/a2']) {
      const reply = await site.get(`/mediaitems/${path}`);
      expect(reply.status, path).toBe(404);
      texts.add(reply.text);
    }
    expect(texts.size).toBe(1);
    expect((await site.get('/albums/4/@self')).status).toBe(404);
    expect((await site.get('/albums/404/@friends')).status).toBe(404);
  });

  test('@all and groups are 501, other selectors 404 (contract §6)', async () => {
    const site = await openAlbums(open);
    expect((await site.get('/albums/2/@all')).status).toBe(501);
    expect((await site.get('/albums/2/rowers')).status).toBe(501);
    expect((await site.get('/mediaitems/2/@all/a2')).status).toBe(501);
    expect((await site.get('/mediaitems/2/@friends/a2')).status).toBe(404);
  });

  test('without the extension every album and media item path is 501, signed ones only (§7, contract §4)', async () => {
    const site = await openAlbums(open);
    await writeSetting(site.db, 'albums', 'false');
    for (const path of ['/albums/@me/@self', '/albums/404/@friends', '/mediaitems/@me/@self/a2']) {
      expect((await site.get(path)).status, path).toBe(501);
      expect((await site.get(path, { signed: false })).status, path).toBe(401);
    }
    await writeSetting(site.db, 'albums', 'true');
    expect((await site.get('/albums/@me/@self')).status).toBe(200);
  });

  test('media need no session and carry safe headers (contract §3)', async () => {
    const site = await openAlbums(open);
    const [red] = items(await site.get('/mediaitems/2/@self/a2'));
    const answer = await load(site, red?.url);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'image/jpeg',
      'content-length': red?.fileSize,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ format: 'jpeg', width: 400 });
  });

  test('a thumbnail has 180 pixels on its longer side (§2 Album)', async () => {
    const site = await openAlbums(open);
    const [red] = items(await site.get('/mediaitems/2/@self/a2'));
    const answer = await load(site, red?.thumbnailUrl);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 180,
      height: 90,
    });
  });

  test('HEAD on media has the headers alone, other methods are 405, unknown tokens 404', async () => {
    const site = await openAlbums(open);
    const [red] = items(await site.get('/mediaitems/2/@self/a2'));
    const head = await load(site, red?.url, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, red?.fileSize, '']);
    const refused = await load(site, red?.url, 'POST');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const token of ['', 'x'.repeat(22), '..%2f..%2fetc%2fpasswd', `${String(red?.url).slice(-22)}x`]) {
      expect((await load(site, `${publicUrl}/gantry/media/${token}`)).status, token).toBe(404);
    }
  });

  test('the type of a file is that of its bytes', async () => {
    const site = await openAlbums(open);
    await site.add({ mediaItems: [{ id: 'm12', albumId: 'a2', file: 'disguised.png' }] }, folder);
    const item = items(await site.get('/mediaitems/2/@self/a2')).find(({ id }) => id === 'm12');
    expect((await load(site, item?.url)).headers.get('content-type')).toBe('image/webp');
  });

  test('importing the same again keeps URLs, hiding an item or its album changes them (contract §3)', async () => {
    const site = await openAlbums(open);
    const urls = async () =>
      items(await site.get('/mediaitems/2/@self/a2', { as: '2' })).map(({ id, url, thumbnailUrl }) => ({
        id,
        url,
        thumbnailUrl,
      }));
    const before = await urls();
    await site.add({ albums, mediaItems }, folder);
    expect(await urls()).toEqual(before);

    await site.add({ mediaItems: [{ ...mediaItems[1], visibility: 'private' }] }, folder);
    const hidden = await urls();
    expect(hidden.map((item, n) => item.url === before[n]?.url)).toEqual([true, false, true]);
    expect((await load(site, before[1]?.url)).status).toBe(404);
    expect((await load(site, before[1]?.thumbnailUrl)).status).toBe(404);
    expect((await load(site, hidden[1]?.url)).status).toBe(200);

    await site.add({ albums: [{ ...albums[0], visibility: 'private' }] });
    const gone = await urls();
    expect(gone.map((item, n) => item.url === hidden[n]?.url)).toEqual([false, false, false]);
    expect((await load(site, hidden[0]?.url)).status).toBe(404);
    expect((await load(site, hidden[0]?.thumbnailUrl)).status).toBe(404);
    expect((await load(site, gone[0]?.url)).status).toBe(200);
    expect((await load(site, gone[0]?.thumbnailUrl)).status).toBe(200);
  });

  test('another image for an item gets another URL', async () => {
    const site = await openAlbums(open);
    const url = async () => items(await site.get('/mediaitems/2/@self/a2'))[0]?.url;
    const before = await url();
    await site.add({ mediaItems: [{ ...mediaItems[1], file: 'blue.png' }] }, folder);
    expect((await load(site, before)).status).toBe(404);
    expect((await load(site, await url())).headers.get('content-type')).toBe('image/png');
  });

  test('an item may also have its picture elsewhere', async () => {
    const site = await openAlbums(open);
    const item = {
      id: 'm1',
      albumId: 'a2',
      url: 'https://cdn.example/1.jpg',
      thumbnailUrl: '/small/1.jpg',
      fileSize: '77',
    };
    await site.add({ mediaItems: [item] });
    expect(items(await site.get('/mediaitems/2/@self/a2'))[0]).toMatchObject({
      id: 'm1',
      url: 'https://cdn.example/1.jpg',
      thumbnailUrl: 'https://social.example/small/1.jpg',
      fileSize: '77',
      created: '2026-05-20 12:00:00',
    });
  });

  test('albums and media items come in the order of length, then code point (contract §1, §3)', async () => {
    const unsorted = ['b', 'A', '9', '_', 'a', '10', 'B'];
    const sorted = ['9', 'A', 'B', '_', 'a', 'b', '10'];
    const site = await openSite(open, {
      ...village,
      albums: unsorted.map((id) => ({ id, ownerId: '2', title: id })),
      mediaItems: unsorted.map((id) => ({ id, albumId: 'a', url: '/x.jpg', thumbnailUrl: `/${id}.jpg` })),
    });
    expect(ids(await site.get('/albums/2/@self'))).toEqual(sorted);
    expect(ids(await site.get('/albums/@me/@friends'))).toEqual(sorted);
    expect(ids(await site.get('/mediaitems/2/@self/a'))).toEqual(sorted);
    const album = items(await site.get('/albums/2/@self')).find((album) => album.id === 'a');
    expect(album?.thumbnailUrl).toBe('https://social.example/9.jpg');
  });

  test('a picture is removed with its member: its addresses are 404 (contract §3, §9)', async () => {
    const site = await openAlbums(open);
    const [red] = items(await site.get('/mediaitems/2/@self/a2'));
    expect((await load(site, red?.url)).status).toBe(200);
    const file = join(mkdtempSync(join(tmpdir(), 'gantry-lines-')), 'gone.jsonl');
    writeFileSync(file, '{"kind":"member","id":"2","deleted":true}');
    await importLines(site.db, file, { mediaFolder: site.mediaFolder, secretKey });
    expect((await load(site, red?.url)).status).toBe(404);
    expect((await load(site, red?.thumbnailUrl)).status).toBe(404);
  });
});
