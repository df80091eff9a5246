import { signRequest } from '@gantry/oauth';
import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { openSite, publicUrl, type Reply, village } from '../site.ts';
import { at, childrenOf, parseXml, textAt } from '../xml.ts';

const folder = await imageFolder();
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const root = 'https://social.example/social/rest';
const atom = 'http://www.w3.org/2005/Atom';
const openSearch = 'http://a9.com/-/spec/opensearch/1.1';
const openSocial = 'http://ns.opensocial.org/2008/opensocial';

const world = {
  ...village,
  activities: [
    { id: '8', userId: '1', title: 'first', url: '/a?b=1&c=2', postedTime: '2026-05-01T09:00:00+00:00' },
    { id: '9', userId: '1', title: 'second', postedTime: '2026-05-02T09:00:00+00:00' },
  ],
  appData: [{ appId: 'notes', memberId: '1', data: { best: '7' } }],
};
const media = {
  albums: [{ id: 'a1', ownerId: '1', title: 'Boats' }],
  mediaItems: [{ id: 'm1', albumId: 'a1', title: 'Red', lastUpdated: '2026-05-02 11:00:00', file: 'red.jpg' }],
};

/** `href` by `rel`. */
function links({ text }: Reply): Readonly<Record<string, string | null>> {
  const all = childrenOf(parseXml(text), 'link');
  return Object.fromEntries(all.map((link) => [link.getAttribute('rel') ?? '', link.getAttribute('href')]));
}

describe.each(databases)('Atom on $name', ({ open }) => {
  test('a person is an entry document, with its data in content (contract §3)', async () => {
    const site = await openSite(open, world);
    const { text, headers } = await site.get('/people/@me/@self?format=atom');
    expect(text).toBe(
      `${declaration}<entry xmlns="${atom}"><id>urn:guid:1</id><title>Ann</title><updated>1970-01-01T00:00:00Z</updated>` +
        `<content type="application/xml"><person xmlns="${openSocial}"><id>1</id><isOwner>1</isOwner><isViewer>1</isViewer>` +
        '<hasApp>1</hasApp><displayName>Ann</displayName><thumbnailUrl>https://social.example/faces/1.svg</thumbnailUrl>' +
        '<profileUrl>https://social.example/members/1</profileUrl></person></content>' +
        '<author><name>Village</name><uri>https://social.example</uri></author></entry>',
    );
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  });

  test('a list is a feed with its numbers in OpenSearch, and an entry for each item (contract §3)', async () => {
    const site = await openSite(open, world);
    const feed = parseXml((await site.get('/people/@me/@friends?format=Atom&count=2')).text);
    expect([feed.localName, feed.namespaceURI]).toEqual(['feed', atom]);
    expect(textAt(feed, 'id')).toBe(`${root}/people/@me/@friends`);
    expect(['totalResults', 'startIndex', 'itemsPerPage'].map((name) => textAt(feed, name))).toEqual(['3', '0', '2']);
    expect(at(feed, 'totalResults').namespaceURI).toBe(openSearch);
    const entries = childrenOf(feed, 'entry');
    expect(entries.map((entry) => textAt(entry, 'id'))).toEqual(['urn:guid:2', 'urn:guid:5']);
    expect(entries.map((entry) => textAt(entry, 'content', 'person', 'displayName'))).toEqual(['Bo', 'Fay']);
    expect(entries.map((entry) => at(entry, 'content', 'person').namespaceURI)).toEqual([openSocial, openSocial]);
  });

  test('a feed and its entries have what RFC 4287 asks for: id, title, updated and one author', async () => {
    const site = await openSite(open, world);
    const feed = parseXml((await site.get('/people/@me/@friends?format=atom')).text);
    for (const holder of [feed, ...childrenOf(feed, 'entry')]) {
      expect(textAt(holder, 'id')).toMatch(/^(https:|urn:guid:)/);
      expect(textAt(holder, 'title')).not.toBe('');
      expect(Date.parse(textAt(holder, 'updated'))).not.toBeNaN();
    }
    expect(textAt(feed, 'author', 'name')).toBe('Village');
  });

  test('rel=self is the request, rel=next the next page, while there is one (contract §3)', async () => {
    const site = await openSite(open, world);
    const friends = `${root}/people/@me/@friends`;
    expect(links(await site.get('/people/@me/@friends?format=atom&count=2'))).toEqual({
      self: `${friends}?format=atom&count=2`,
      next: `${friends}?format=atom&count=2&startIndex=2`,
    });
    expect(links(await site.get('/people/@me/@friends?startIndex=1&format=atom&count=1&x=a%26b'))).toEqual({
      self: `${friends}?startIndex=1&format=atom&count=1&x=a%26b`,
      next: `${friends}?format=atom&count=1&x=a%26b&startIndex=2`,
    });
    for (const query of ['', '&count=3', '&count=2&startIndex=1', '&startIndex=9']) {
      expect(links(await site.get(`/people/@me/@friends?format=atom${query}`))).not.toHaveProperty('next');
    }
  });

  test('links carry no signature of the request that asked (security rule 8)', async () => {
    const site = await openSite(open, world);
    const target = '/social/rest/people/@me/@friends?format=atom&count=1&xoauth_requestor_id=1';
    const { authorization } = signRequest({
      method: 'GET',
      url: publicUrl + target,
      consumer: { key: 'notes-app', secret: 'secret' },
      timestamp: site.nowMs / 1000,
      nonce: 'n',
    });
    const signed = authorization.slice('OAuth '.length).replaceAll('"', '').replaceAll(', ', '&');
    const { text, status } = await site.get('', { signed: false, target: `${target}&${signed}` });
    expect(status).toBe(200);
    expect(text).toContain('count=1&amp;xoauth_requestor_id=1&amp;startIndex=1');
    expect(text).not.toMatch(/[?;]oauth_/);
  });

  test('an activity is an entry with its title, its time and its REST URL; the feed has the latest time (contract §3)', async () => {
    const site = await openSite(open, world);
    await writeSetting(site.db, 'timeZone', 'Asia/Tokyo');
    const feed = parseXml((await site.get('/activities/@me/@self?format=atom')).text);
    expect(textAt(feed, 'updated')).toBe('2026-05-02T18:00:00+09:00');
    const [second, first] = childrenOf(feed, 'entry');
    if (!first || !second) throw new Error('two entries');
    expect([textAt(second, 'title'), textAt(second, 'updated')]).toEqual(['second', '2026-05-02T18:00:00+09:00']);
    expect(textAt(first, 'id')).toBe(`${root}/activities/1/@self/@app/8`);
    expect(textAt(first, 'content', 'activity', 'url')).toBe('https://social.example/a?b=1&c=2');
    const empty = parseXml((await site.get('/activities/10/@self?format=atom')).text);
    expect([textAt(empty, 'updated'), childrenOf(empty, 'entry')]).toEqual(['1970-01-01T00:00:00Z', []]);
  });

  test('a posted activity is answered as an entry document (contract §3)', async () => {
    const site = await openSite(open, world);
    const path = '/activities/@me/@self?format=atom';
    const entry = parseXml((await site.send({ method: 'POST', path, body: { title: 'Hello' } })).text);
    expect([entry.localName, textAt(entry, 'title')]).toEqual(['entry', 'Hello']);
    expect(textAt(entry, 'content', 'activity', 'title')).toBe('Hello');
    expect(textAt(entry, 'updated')).toBe('2026-05-20T12:00:00+00:00');
  });

  test('AppData is an entry document with an entry for each member in appData; a write an empty one (contract §3)', async () => {
    const site = await openSite(open, world);
    const path = '/appData/@me/@self/@app?format=atom';
    const { text } = await site.get(path);
    expect(text).toContain(
      `<content type="application/xml"><appData xmlns="${openSocial}"><entry><personId>1</personId>` +
        '<entry><key>best</key><value>7</value></entry></entry></appData></content>',
    );
    expect(textAt(parseXml(text), 'id')).toBe(`${root}/appData/@me/@self/@app`);
    for (const method of ['POST', 'DELETE']) {
      const reply = await site.send({ method, path, ...(method === 'POST' && { body: { a: 'v' } }) });
      expect(reply.text).toContain(`<content type="application/xml"><appData xmlns="${openSocial}"/></content>`);
    }
  });

  test('albums and media items are feeds; lastUpdated is updated, with its offset (contract §3)', async () => {
    const site = await openSite(open, world);
    await writeSetting(site.db, 'timeZone', 'Asia/Tokyo');
    await site.add(media, folder);
    const albums = parseXml((await site.get('/albums/@me/@self?format=atom')).text);
    expect(textAt(albums, 'entry', 'id')).toBe(`${root}/albums/1/@self/a1`);
    expect(textAt(albums, 'entry', 'content', 'album', 'mediaItemCount')).toBe('1');
    const items = parseXml((await site.get('/mediaitems/@me/@self/a1?format=atom')).text);
    expect(textAt(items, 'entry', 'id')).toBe(`${root}/mediaitems/1/@self/a1/m1`);
    expect(textAt(items, 'entry', 'content', 'mediaItem', 'lastUpdated')).toBe('2026-05-02 11:00:00');
    expect([textAt(items, 'updated'), textAt(items, 'entry', 'updated')]).toEqual([
      '2026-05-02T11:00:00+09:00',
      '2026-05-02T11:00:00+09:00',
    ]);
  });
});
