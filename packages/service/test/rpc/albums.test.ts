import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { call } from '../rpc-client.ts';
import { openSite, type Site, village } from '../site.ts';

const ids = (data: unknown) => (data as { list: readonly { id: string }[] }).list.map(({ id }) => id);

describe.each(databases)('albums by JSON-RPC on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  async function openAlbums(): Promise<Site> {
    const site = await openVillage();
    const albums = [
      { id: 'a2', ownerId: '2', title: 'Boats', visibility: 'site' },
      { id: 'a10', ownerId: '2', title: 'Friends', visibility: 'friends' },
      { id: 'a3', ownerId: '2', title: 'Private', visibility: 'private' },
      { id: 'd1', ownerId: '3', title: "Di's", visibility: 'site' },
      { id: 'e1', ownerId: '4', title: "Ed's", visibility: 'site' },
    ];
    const mediaItems = [
      { id: 'm9', albumId: 'a2', visibility: 'private', file: 'red.jpg' },
      { id: 'm10', albumId: 'a2', file: 'red.jpg' },
      { id: 'm11', albumId: 'a10', file: 'blue.png' },
      { id: 'm2', albumId: 'a10', visibility: 'friends', file: 'blue.png' },
      { id: 'm12', albumId: 'a3', file: 'blue.png' },
      { id: 'd2', albumId: 'd1', file: 'blue.png' },
      { id: 'e2', albumId: 'e1', file: 'blue.png' },
    ];
    await site.add({ albums, mediaItems }, await imageFolder());
    return site;
  }

  test('albums of a member and of friends (contract §6)', async () => {
    const site = await openAlbums();
    expect(ids((await call(site, 'albums.get', { userId: '2' })).data)).toEqual(['a2', 'a10']);
    expect(ids((await call(site, 'albums.get', { groupId: '@friends' })).data)).toEqual(['a2', 'a10']);
    expect((await call(site, 'albums.get')).data).toMatchObject({ list: [], totalResults: 0 });
  });

  test('mediaItems.get, also written mediaitems.get, with albumId is about that album (contract §8)', async () => {
    const site = await openAlbums();
    expect(ids((await call(site, 'mediaItems.get', { userId: '2', albumId: 'a10' })).data)).toEqual(['m2', 'm11']);
    expect(ids((await call(site, 'mediaitems.get', { userId: '2', albumId: 'a2' })).data)).toEqual(['m10']);
    for (const albumId of ['a3', 'd1', '@all', 'nothing', 'a/b']) {
      expect((await call(site, 'mediaItems.get', { userId: '2', albumId })).error?.code, albumId).toBe(404);
    }
  });

  test('without albumId it covers all visible albums, and nothing that the viewer may not see (contract §8)', async () => {
    const site = await openAlbums();
    const seen = async (as: string, params: object = { userId: '2' }) =>
      (await call(site, 'mediaItems.get', params, { as })).data;
    expect(ids(await seen('1'))).toEqual(['m2', 'm10', 'm11']);
    expect(await seen('5')).toMatchObject({ list: [{ id: 'm10' }], totalResults: 1 });
    expect(ids(await seen('2'))).toEqual(['m2', 'm9', 'm10', 'm11', 'm12']);
    expect(ids(await seen('2', {}))).toEqual(['m2', 'm9', 'm10', 'm11', 'm12']);
    expect(await seen('1', { userId: '2', count: 1, startIndex: 1 })).toMatchObject({
      list: [{ id: 'm10', albumId: 'a2' }],
      startIndex: 1,
      totalResults: 3,
      itemsPerPage: 1,
    });
    expect(ids(await seen('1', { userId: ['3', '2', '4', '404'] }))).toEqual(['d2', 'm2', 'm10', 'm11']);
    expect((await call(site, 'mediaItems.get', { userId: '4' })).error?.code).toBe(404);
    expect((await call(site, 'mediaItems.get', { groupId: '@friends' })).error?.code).toBe(404);
  });

  test('in REST, @all names no album (contract §4)', async () => {
    const site = await openAlbums();
    expect((await site.get('/mediaitems/2/@self/@all')).status).toBe(404);
  });
});
