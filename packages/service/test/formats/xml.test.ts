import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, village } from '../site.ts';
import { childrenOf, parseXml, textAt } from '../xml.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const world = {
  ...village,
  activities: [
    { id: '8', userId: '1', title: 'Tom & "Jerry" <3', url: '/a?b=1&c=2', postedTime: '2026-05-01T09:00:00+00:00' },
    { id: '9', userId: '1', title: 'two\nlines', postedTime: '2026-05-02T09:00:00+00:00', appId: 'notes' },
  ],
  appData: [
    { appId: 'notes', memberId: '1', data: { best: '7', __proto__x: '<b>', empty: '' } },
    { appId: 'notes', memberId: '2', data: { best: '9' } },
  ],
  albums: [{ id: 'a1', ownerId: '1', title: 'Boats', description: '' }],
};

describe.each(databases)('XML on $name', ({ open }) => {
  test('a single result is one entry in response, booleans are 1 and 0 (§1, contract §3)', async () => {
    const site = await openSite(open, world);
    const { text, headers } = await site.get('/people/@me/@self?format=xml');
    expect(text).toBe(
      `${declaration}<response><entry><id>1</id><isOwner>1</isOwner><isViewer>1</isViewer><hasApp>1</hasApp>` +
        '<displayName>Ann</displayName><thumbnailUrl>https://social.example/faces/1.svg</thumbnailUrl>' +
        '<profileUrl>https://social.example/members/1</profileUrl></entry></response>',
    );
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const friend = parseXml((await site.get('/people/5/@self?format=XML')).text);
    expect([textAt(friend, 'entry', 'isViewer'), textAt(friend, 'entry', 'hasApp')]).toEqual(['0', '0']);
  });

  test("an array's element repeats its name for each item; empty arrays and strings are one empty element (contract §3)", async () => {
    const site = await openSite(open, world);
    const fields = 'format=xml&fields=addresses,age,gender';
    const region = '<region>Kent</region><formatted>Kent</formatted>';
    expect((await site.get(`/people/1/@self?${fields}`)).text).toContain(
      `<addresses><addresses>${region}</addresses></addresses><age>35</age><gender>female</gender>`,
    );
    expect((await site.get(`/people/2/@self?${fields}`)).text).toContain('<addresses/><age/><gender/>');
  });

  test('a list has startIndex, itemsPerPage and totalResults, then an entry for each item (contract §3)', async () => {
    const site = await openSite(open, world);
    const list = parseXml((await site.get('/people/@me/@friends?format=xml&count=2&startIndex=1')).text);
    expect(list.localName).toBe('response');
    expect(list.namespaceURI).toBeNull();
    expect(childrenOf(list).map(({ localName }) => localName)).toEqual([
      'startIndex',
      'itemsPerPage',
      'totalResults',
      'entry',
      'entry',
    ]);
    expect(['startIndex', 'itemsPerPage', 'totalResults'].map((name) => textAt(list, name))).toEqual(['1', '2', '3']);
    expect(childrenOf(list, 'entry').map((entry) => textAt(entry, 'id'))).toEqual(['5', '10']);
  });

  test('an empty list keeps its three numbers (contract §3)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/activities/10/@self?format=xml')).text).toBe(
      `${declaration}<response><startIndex>0</startIndex><itemsPerPage>20</itemsPerPage><totalResults>0</totalResults></response>`,
    );
  });

  test('activities, with what XML would change written as references (contract §3)', async () => {
    const site = await openSite(open, world);
    const { text } = await site.get('/activities/@me/@self?format=xml');
    expect(text).toContain(
      '<entry><id>9</id><userId>1</userId><title>two&#10;lines</title><postedTime>2026-05-02T09:00:00+00:00</postedTime></entry>' +
        '<entry><id>8</id><userId>1</userId><title>Tom &amp; &quot;Jerry&quot; &lt;3</title>' +
        '<postedTime>2026-05-01T09:00:00+00:00</postedTime><url>https://social.example/a?b=1&amp;c=2</url></entry>',
    );
    const titles = childrenOf(parseXml(text), 'entry').map((entry) => textAt(entry, 'title'));
    expect(titles).toEqual(['two\nlines', 'Tom & "Jerry" <3']);
  });

  test('a posted activity is answered in the format that its post asks for (contract §3)', async () => {
    const site = await openSite(open, world);
    const post = { method: 'POST', path: '/activities/@me/@self?format=xml', body: { title: 'Hello' } };
    const reply = await site.send(post);
    const entry = parseXml(reply.text);
    expect([textAt(entry, 'entry', 'title'), textAt(entry, 'entry', 'userId')]).toEqual(['Hello', '1']);
    expect(reply.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('AppData is an entry for each member, with an entry for each key (contract §3)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/appData/@me/@self/@app?format=xml')).text).toBe(
      `${declaration}<response><entry><personId>1</personId>` +
        '<entry><key>__proto__x</key><value>&lt;b&gt;</value></entry>' +
        '<entry><key>best</key><value>7</value></entry>' +
        '<entry><key>empty</key><value/></entry></entry></response>',
    );
    const both = parseXml((await site.get('/appData/1,2/@self/@app?format=xml&fields=best')).text);
    expect(childrenOf(both, 'entry').map((one) => [textAt(one, 'personId'), textAt(one, 'entry', 'value')])).toEqual([
      ['1', '7'],
      ['2', '9'],
    ]);
  });

  test('AppData with nothing stored: the member alone, or for friends no entry (contract §3)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/appData/@me/@self/@app?format=xml&fields=none')).text).toBe(
      `${declaration}<response><entry><personId>1</personId></entry></response>`,
    );
    expect((await site.get('/appData/@me/@friends/@app?format=xml&fields=none')).text).toBe(
      `${declaration}<response/>`,
    );
  });

  test('an AppData write answers with an empty entry (contract §3)', async () => {
    const site = await openSite(open, world);
    const path = '/appData/@me/@self/@app?format=xml';
    const answer = `${declaration}<response><entry/></response>`;
    expect((await site.send({ method: 'POST', path, body: { a: 'v' } })).text).toBe(answer);
    expect((await site.send({ method: 'PUT', path, body: {} })).text).toBe(answer);
    expect((await site.send({ method: 'DELETE', path })).text).toBe(answer);
  });

  test('albums: numbers are decimal text (contract §3)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/albums/@me/@self?format=xml')).text).toContain(
      '<entry><id>a1</id><title>Boats</title><description/><mediaItemCount>0</mediaItemCount><ownerId>1</ownerId>' +
        '<thumbnailUrl/><mediaType>IMAGE</mediaType></entry>',
    );
  });
});
