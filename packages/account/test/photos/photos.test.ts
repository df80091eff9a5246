import { writeSetting } from '@gantry/service';
import { sql } from '@gantry/store';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { ids, items, publicUrl, type Site } from '../../../service/test/site.ts';
import { hiddenFields, openReader, signIn } from '../account-site.ts';
import { makeAlbum, openPhotoSite, type PhotoSite } from './photo-site.ts';

const plain = (background: string, { width = 400, height = 200 } = {}) =>
  sharp({ create: { width, height, channels: 3, background } });
const red = await plain('red').jpeg().toBuffer();

function load(site: Site, url: unknown): Promise<Response> {
  return site.service.handle(new Request(String(url)), String(url).slice(publicUrl.length));
}

/**
 * Ids of an album's photos as a member sees them through the API; `null` where there is no such
 * album for them.
 */
async function seen(site: Site, album: string, as: string): Promise<readonly unknown[] | null> {
  const reply = await site.get(`/mediaitems/1/@self/${album}`, { as, key: 'admin-any' });
  return reply.status === 404 ? null : ids(reply);
}

function idOf({ text }: { readonly text: string }): string {
  return JSON.parse(text).entry.id;
}

async function savePhoto({ browser }: PhotoSite, id: string, fields: Readonly<Record<string, string>>) {
  const path = `/account/photos/photo/${id}`;
  return browser.submit(await browser.get(path), path, { title: '', description: '', visibility: 'site', ...fields });
}

async function press({ browser }: PhotoSite, page: string, action: string) {
  return browser.submit(await browser.get(page), action);
}

describe.each(databases)('photos on $name', ({ open }) => {
  test('an uploaded photo is in the API at once, for whoever may see it (contract §6)', async () => {
    const own = await openPhotoSite(open);
    const before = (await own.site.get('/albums/1/@self', { as: '1' })).headers.get('etag');
    const sent = await own.put(red, { name: 'C:\\Pictures\\Low tide.jpeg' });
    expect(sent.status).toBe(201);
    const reply = await own.site.get(`/mediaitems/1/@self/${own.album}`);
    expect(items(reply)).toEqual([
      {
        id: idOf(sent),
        albumId: own.album,
        title: 'Low tide',
        description: '',
        created: '2026-05-20 12:00:01',
        lastUpdated: '2026-05-20 12:00:01',
        fileSize: expect.stringMatching(/^\d{3,5}$/),
        thumbnailUrl: expect.stringMatching(/^https:\/\/social\.example\/gantry\/media\/[\w-]{22}$/),
        type: 'IMAGE',
        url: expect.stringMatching(/^https:\/\/social\.example\/gantry\/media\/[\w-]{22}$/),
      },
    ]);
    const albums = await own.site.get('/albums/1/@self');
    expect(albums.headers.get('etag')).not.toBe(before);
    expect(items(albums)).toMatchObject([
      { id: own.album, ownerId: '1', title: 'Harbour', mediaItemCount: 1, thumbnailUrl: items(reply)[0]?.thumbnailUrl },
    ]);
  });

  test.each([
    ['site', 'site', { self: true, friend: true, stranger: true }],
    ['site', 'friends', { self: true, friend: true, stranger: false }],
    ['site', 'private', { self: true, friend: false, stranger: false }],
    ['friends', 'site', { self: true, friend: true, stranger: null }],
    ['friends', 'private', { self: true, friend: false, stranger: null }],
    ['private', 'site', { self: true, friend: null, stranger: null }],
  ])('in an album for %s, a photo for %s is seen by those alone (contract §6)', async (album, photo, expected) => {
    const own = await openPhotoSite(open);
    const id = await makeAlbum(own.browser, album);
    const item = idOf(await own.put(red, { album: id }));
    await savePhoto(own, item, { visibility: photo });
    const what = { true: [item], false: [], null: null };
    const key = (value: boolean | null) => what[String(value) as keyof typeof what];
    expect(await seen(own.site, id, '1')).toEqual(key(expected.self));
    expect(await seen(own.site, id, '2')).toEqual(key(expected.friend));
    expect(await seen(own.site, id, '3')).toEqual(key(expected.stranger));
  });

  test('hiding or deleting a photo changes its URLs, and the old ones are 404 (contract §3)', async () => {
    const own = await openPhotoSite(open);
    const id = idOf(await own.put(red));
    const urls = async () => {
      const [item] = items(await own.site.get(`/mediaitems/1/@self/${own.album}`));
      return [item?.url, item?.thumbnailUrl];
    };
    const statuses = (list: readonly unknown[]) =>
      Promise.all(list.map(async (url) => (await load(own.site, url)).status));
    const first = await urls();
    await savePhoto(own, id, { title: 'Only a caption' });
    expect(await urls()).toEqual(first);
    expect(await statuses(first)).toEqual([200, 200]);
    await savePhoto(own, id, { visibility: 'friends' });
    const second = await urls();
    expect([await statuses(first), await statuses(second)]).toEqual([
      [404, 404],
      [200, 200],
    ]);
    const edit = `/account/photos/album/${own.album}/edit`;
    await own.browser.submit(await own.browser.get(edit), edit, { title: 'H', description: '', visibility: 'private' });
    const third = await urls();
    expect([await statuses(second), await statuses(third)]).toEqual([
      [404, 404],
      [200, 200],
    ]);
    await press(own, `/account/photos/photo/${id}`, `/account/photos/photo/${id}/delete`);
    expect(await statuses(third)).toEqual([404, 404]);
    expect(await own.files()).toEqual({ kept: [], drafts: [] });
  });

  test('files that another photo has stay when one is deleted; with the last they go', async () => {
    const own = await openPhotoSite(open);
    const [first, second] = [idOf(await own.put(red)), idOf(await own.put(red))];
    const { kept } = await own.files();
    expect(kept).toHaveLength(3); // the picture and its two small ones
    await press(own, `/account/photos/photo/${first}`, `/account/photos/photo/${first}/delete`);
    expect((await own.files()).kept).toEqual(kept);
    const [left] = items(await own.site.get(`/mediaitems/1/@self/${own.album}`));
    expect([left?.id, (await load(own.site, left?.url)).status]).toEqual([second, 200]);
    await press(own, `/account/photos/album/${own.album}/edit`, `/account/photos/album/${own.album}/delete`);
    expect(await own.files()).toEqual({ kept: [], drafts: [] });
    expect(ids(await own.site.get('/albums/1/@self'))).toEqual([]);
  });

  test('a removed member leaves no file behind (contract §9)', async () => {
    const own = await openPhotoSite(open);
    await own.put(red);
    expect((await own.files()).kept).toHaveLength(3);
    await own.site.add({ members: [{ id: '1', deleted: true }] });
    expect((await own.files()).kept).toEqual([]);
  });

  test('photos of another member cannot be seen or changed, and look like missing ones (contract §4)', async () => {
    const own = await openPhotoSite(open);
    const photo = idOf(await own.put(red));
    const other = openReader(own.site);
    await signIn(other, '2');
    const nothing = (await other.get('/account/photos/photo/404')).text.replaceAll('404', 'x');
    expect((await other.get(`/account/photos/photo/${photo}`)).text.replaceAll(photo, 'x')).toBe(nothing);
    const mine = await makeAlbum(other);
    const paths = [
      `/account/photos/album/${own.album}`,
      `/account/photos/album/${own.album}/edit`,
      `/account/photos/photo/${photo}`,
      `/account/photos/photo/${photo}/preview`,
    ];
    for (const path of paths) expect((await other.get(path)).status, path).toBe(404);
    expect((await other.get(`/account/photos/album/${mine}`)).status).toBe(200);
    const refused = await own.put(red, { album: mine }).catch((error: Error) => error.message);
    expect(refused).toContain('has no form');
    expect(await seen(own.site, own.album, '1')).toEqual([photo]);
  });

  test('a form sends several photos without a script; what was refused is named (security rule 18)', async () => {
    const own = await openPhotoSite(open);
    const png = await plain('blue').png().toBuffer();
    const both = await own.send([new File([red], 'one.jpg'), new File([png], 'two.png')]);
    expect([both.status, both.location]).toEqual([303, `/account/photos/album/${own.album}?added=2`]);
    const mixed = await own.send([new File([png], 'three.png'), new File(['<svg/>'], '<b>four.jpg')]);
    expect(mixed.status).toBe(400);
    expect(mixed.text).toContain('Not all photos were added');
    expect(mixed.text).toContain('<bdi>&lt;b&gt;four.jpg</bdi>');
    expect(mixed.text).toContain('This is no photo');
    const none = await own.send([]);
    expect([none.status, none.text.includes('Choose at least one file')]).toEqual([400, true]);
    const titles = items(await own.site.get(`/mediaitems/1/@self/${own.album}`)).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('albums, photos and bytes have limits that say so, two at the same moment included', async () => {
    const own = await openPhotoSite(open);
    await writeSetting(own.site.db, 'photosPerAlbum', '2');
    const sent = await Promise.all([own.put(red), own.put(red), own.put(red), own.put(red)]);
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
    expect(sent.find(({ status }) => status === 403)?.text).toContain('The album is full: it has 2 photos.');
    await writeSetting(own.site.db, 'albumsPerMember', '1');
    const form = await own.browser.get('/account/photos/new-album');
    const fields = { title: 'Second', description: '', visibility: 'site' };
    const refused = await own.browser.submit(form, '/account/photos/new-album', fields);
    expect([refused.status, refused.text.includes('You have 1 albums, and there can be no more.')]).toEqual([
      400,
      true,
    ]);
    await writeSetting(own.site.db, 'photosPerAlbum', '9');
    await writeSetting(own.site.db, 'memberMegabytes', '1');
    await own.site.db.query(sql`update media_item set file_size = 1048576`);
    const full = await own.put(red);
    expect([full.status, full.text.includes('at most 1 MB. Delete some first.')]).toEqual([403, true]);
    expect(await own.files()).toMatchObject({ drafts: [] });
  });

  test('albums come in pages of 50, each once and in order (security rule 34)', async () => {
    const { site, browser, album } = await openPhotoSite(open);
    const pageOf = async (query: string) => {
      const { text } = await browser.get(`/account/photos${query}`);
      const albums = [...text.matchAll(/href="\/account\/photos\/album\/([^"/]+)"/g)].map(([, id]) => id);
      const links = [...text.matchAll(/href="\/account\/photos\?page=(\d+)">(\w+)</g)].map(
        ([, at, to]) => `${to} ${at}`,
      );
      return { albums, links, place: /Page \d+ of \d+/.exec(text)?.[0] };
    };
    expect(await pageOf('')).toEqual({ albums: [album], links: [], place: undefined }); // control
    const added = Array.from({ length: 119 }, (_, index) => `${'z'.repeat(30)}${index + 100}`);
    await site.db.batch(
      added.map(
        (id) => sql`
          insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
          values (${id}, '1', 'A', '', '', 'IMAGE', 0)`,
      ),
    );
    const pages = [await pageOf(''), await pageOf('?page=2'), await pageOf('?page=3')];
    expect(pages.map(({ albums }) => albums.length)).toEqual([50, 50, 20]);
    expect(pages.flatMap(({ albums }) => albums)).toEqual([album, ...added]);
    expect(pages.map(({ links }) => links)).toEqual([['Next 2'], ['Previous 1', 'Next 3'], ['Previous 2']]);
    expect(pages[1]?.place).toBe('Page 2 of 3');
    for (const query of ['?page=4', '?page=1e300']) expect(await pageOf(query)).toEqual(pages[2]);
    for (const query of ['?page=0', '?page=-1', '?page=x']) expect(await pageOf(query)).toEqual(pages[0]);
  });

  test('pages say that albums are switched off, and uploads are 501', async () => {
    const own = await openPhotoSite(open);
    const page = await own.browser.get(`/account/photos/album/${own.album}`);
    await writeSetting(own.site.db, 'albums', 'false');
    const reply = await own.browser.get('/account/photos');
    expect([reply.status, reply.text.includes('Albums are switched off on this site.')]).toEqual([501, true]);
    expect(reply.text).not.toContain('href="/account/photos"');
    const upload = `/account/photos/album/${own.album}/upload`;
    const headers = { 'x-form-token': hiddenFields(page.text, upload).form_token ?? '' };
    expect((await own.put(red, { headers })).status).toBe(501);
  });

  test('an upload needs the form’s token and a page of the site (security rule 10)', async () => {
    const own = await openPhotoSite(open);
    expect((await own.put(red, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await own.put(red, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const stale = await own.put(red, { headers: { 'x-form-token': '1.x' } });
    expect([stale.status, JSON.parse(stale.text).error.message]).toEqual([
      403,
      'This page is out of date. Load it again, then add your photos.',
    ]);
    expect((await own.put(red, { headers: { cookie: '' } })).status).toBe(403);
    expect(await own.files()).toEqual({ kept: [], drafts: [] });
    expect((await own.put(red)).status).toBe(201);
  });
});
