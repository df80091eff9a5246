import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { items, openSite, type SignedCall, type Site, village } from '../site.ts';

const appData = '/appData/@me/@self/@app';
const activities = '/activities/@me/@self';
const openSocial = 'http://ns.opensocial.org/2008/opensocial';
const atom = 'http://www.w3.org/2005/Atom';

function post(path: string, body: string | Uint8Array, type = 'application/xml'): SignedCall {
  return { method: 'POST', path, body, headers: { 'content-type': type } };
}

async function stored(site: Site): Promise<unknown> {
  return (await site.get(appData)).json.entry;
}

const pair = '<entry><key>k</key><value>v</value></entry>';

describe.each(databases)('bodies in XML and Atom on $name', ({ open }) => {
  test.each([
    `<appdata>${pair}</appdata>`,
    `<appData>${pair}</appData>`,
    `<APPDATA xmlns="urn:x">${pair}</APPDATA>`,
    `<o:appdata xmlns:o="${openSocial}"><o:entry><o:key>k</o:key><o:value>v</o:value></o:entry></o:appdata>`,
    `<?xml version="1.0"?><appdata>\n  <entry>\n    <value>v</value>\t<key>k</key>\r\n  </entry>\n</appdata>\n`,
    `<?xml version='1.0' encoding='utf-8' standalone='yes'?><!-- ours --><appdata id="7"><!-- a pair -->${pair}</appdata>`,
    `\ufeff<appdata>${pair}</appdata>`,
    '<appdata><entry><key>&#107;</key><value><![CDATA[v]]></value></entry></appdata>',
    '<appdata><entry><key>k<!-- ay --></key><value>&#x76;</value></entry></appdata>',
  ])('AppData as %j (contract §2)', async (body) => {
    for (const type of ['application/xml', 'text/xml', 'Application/XML; charset="UTF-8"']) {
      const site = await openSite(open, village);
      expect((await site.send(post(appData, body, type))).text).toBe('{"entry":{}}');
      expect(await stored(site)).toEqual({ 1: { k: 'v' } });
    }
  });

  test('every entry of AppData is written, text unchanged; none changes nothing (contract §2)', async () => {
    const site = await openSite(open, village);
    const entries =
      '<entry><key>a</key><value> 1 &lt;2&gt; &amp;&quot;&apos;\n</value></entry>' +
      '<entry><key>b</key><value/></entry><entry><key>constructor</key><value></value></entry>' +
      '<entry><key>__proto__</key><value>data</value></entry>';
    expect((await site.send({ ...post(appData, `<appdata>${entries}</appdata>`), method: 'PUT' })).status).toBe(200);
    const { text } = await site.get(appData);
    expect(text).toBe('{"entry":{"1":{"__proto__":"data","a":" 1 <2> &\\"\'\\n","b":"","constructor":""}}}');
    expect((await site.send(post(appData, '<appdata/>'))).text).toBe('{"entry":{}}');
    expect((await site.get(appData)).text).toBe(text);
  });

  test.each([
    '<activity><title>Hi</title><url>/a?b=1&amp;c=2</url></activity>',
    `<Activity xmlns="${openSocial}"><url>/a?b=1&amp;c=2</url><title>Hi</title></Activity>`,
    '<activity><id>7</id><userId>2</userId><mood/><mood/><title>Hi</title><url>/a?b=1&amp;c=2</url><priority>1</priority></activity>',
  ])('an activity as %j (contract §2)', async (body) => {
    const site = await openSite(open, village);
    const reply = await site.send(post(activities, body));
    expect(reply.json.entry).toMatchObject({ userId: '1', title: 'Hi', url: 'https://social.example/a?b=1&c=2' });
  });

  test('a title in XML keeps its white space, and follows the rules of JSON (contract §2)', async () => {
    const site = await openSite(open, village);
    const titled = (title: string) => site.send(post(activities, `<activity><title>${title}</title></activity>`));
    expect((await titled('&#13; a&#9;<![CDATA[<b>]]>\n')).json.entry).toMatchObject({ title: '\r a\t<b>\n' });
    for (const title of ['', ' &#10; ', 'x'.repeat(1001)]) expect((await titled(title)).status).toBe(400);
    expect((await site.send(post(activities, '<activity><url>/a</url></activity>'))).status).toBe(400);
    expect((await site.send(post(activities, '<activity/>'))).status).toBe(400);
  });

  test.each([
    `<entry xmlns="${atom}"><title>Hi</title><content type="application/xml"><activity xmlns="${openSocial}"><url>/a</url></activity></content></entry>`,
    `<a:entry xmlns:a="${atom}"><a:id>urn:x</a:id><a:title type="text">Hi</a:title><a:content><activity><title>inner</title><url>/a</url></activity></a:content></a:entry>`,
    '<entry><title/><author><name>x</name></author><content><activity><title>Hi</title><url>/a</url></activity></content></entry>',
    '<Entry><content>\n<activity><title>Hi</title><url>/a</url></activity>\n</content></Entry>',
  ])('an activity in Atom as %j (contract §2)', async (body) => {
    const site = await openSite(open, village);
    const reply = await site.send(post(activities, body, 'application/atom+xml; charset=utf-8'));
    expect(reply.json.entry).toMatchObject({ title: 'Hi', url: 'https://social.example/a' });
  });

  test('AppData in Atom (contract §2)', async () => {
    const site = await openSite(open, village);
    const body = `<entry xmlns="${atom}"><title>AppData</title><content type="application/xml"><appdata xmlns="${openSocial}">${pair}</appdata></content></entry>`;
    expect((await site.send(post(appData, body, 'application/atom+xml'))).status).toBe(200);
    expect(await stored(site)).toEqual({ 1: { k: 'v' } });
  });

  test('an Atom answer can be posted without changes (contract §2, §3)', async () => {
    const site = await openSite(open, village);
    const title = 'Tom & "Jerry" <3\r\n\u2028';
    const answer = await site.send({ method: 'POST', path: `${activities}?format=atom`, body: { title, url: '/a' } });
    site.nowMs += 30_000;
    expect((await site.send(post(activities, answer.text, 'application/atom+xml'))).status).toBe(200);
    expect(items(await site.get(activities)).map((item) => [item.title, item.url])).toEqual([
      [title, 'https://social.example/a'],
      [title, 'https://social.example/a'],
    ]);
  });

  test('AppData of full size is read, in long and in many values (contract §4)', async () => {
    const site = await openSite(open, village);
    const long = '&#38;'.repeat(102_399);
    const body = (value: string) => `<appdata><entry><key>k</key><value>${value}</value></entry></appdata>`;
    expect((await site.send(post(appData, body(long)))).status).toBe(200);
    expect((await site.send(post(appData, body(`${long}x`)))).status).toBe(400);
    await site.send({ method: 'DELETE', path: appData });
    const entry = (n: number) => `<entry><key>k${n}</key><value>${'v'.repeat(98)}</value></entry>`;
    const many = Array.from({ length: 1_000 }, (_, n) => entry(n)).join('');
    expect((await site.send(post(appData, `<appdata>${many}${entry(1_000)}</appdata>`))).status).toBe(400);
    expect((await site.send(post(appData, `<appdata>${many}</appdata>`))).status).toBe(200);
    expect(Object.keys(((await stored(site)) as { 1: object })[1])).toHaveLength(1_000);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['text', 'k=v'],
    ['JSON', '{"k":"v"}'],
    ['no end', `<appdata>${pair}`],
    ['another end', `<appdata>${pair}</appData>`],
    ['two roots', `<appdata>${pair}</appdata><appdata/>`],
    ['text after the root', `<appdata>${pair}</appdata>x`],
    ['a declaration late', ` <?xml version="1.0"?><appdata>${pair}</appdata>`],
    ['an unbound prefix', `<o:appdata>${pair}</o:appdata>`],
    ['an attribute twice', `<appdata a="1" a="2">${pair}</appdata>`],
    ['a bare ampersand', '<appdata><entry><key>k</key><value>a & b</value></entry></appdata>'],
    ['HTML entities', '<appdata><entry><key>k</key><value>&nbsp;</value></entry></appdata>'],
    ['an entity like a property', '<appdata><entry><key>k</key><value>&constructor;</value></entry></appdata>'],
    ['a reference to no character', '<appdata><entry><key>k</key><value>&#0;</value></entry></appdata>'],
    ['a reference to a surrogate', '<appdata><entry><key>k</key><value>&#xD800;</value></entry></appdata>'],
    ['a control character', '<appdata><entry><key>k</key><value>\u0001</value></entry></appdata>'],
    ['a key twice', `<appdata>${pair}${pair}</appdata>`],
    ['two keys in an entry', '<appdata><entry><key>k</key><key>l</key><value>v</value></entry></appdata>'],
    ['no key', '<appdata><entry><value>v</value></entry></appdata>'],
    ['no value', '<appdata><entry><key>k</key></entry></appdata>'],
    ['more in an entry', '<appdata><entry><key>k</key><value>v</value><x/></entry></appdata>'],
    ['keys as elements', '<appdata><k>v</k></appdata>'],
    ['elements in a value', '<appdata><entry><key>k</key><value><b>v</b></value></entry></appdata>'],
    ['text between entries', `<appdata>${pair}and</appdata>`],
    ['text in an entry', '<appdata><entry>and<key>k</key><value>v</value></entry></appdata>'],
    ['a key that may not be', '<appdata><entry><key>a b</key><value>v</value></entry></appdata>'],
    ['another root', `<response>${pair}</response>`],
    ['an activity', '<activity><title>x</title></activity>'],
    ['an Atom entry', `<entry><content><appdata>${pair}</appdata></content></entry>`],
  ])('%s is no AppData in XML: 400, and nothing is saved (contract §2)', async (_, body) => {
    const site = await openSite(open, village);
    const reply = await site.send(post(appData, body));
    expect(reply.status).toBe(400);
    expect(reply.json.error?.message).toMatch(/\w/);
    expect(await stored(site)).toEqual({ 1: {} });
  });

  test.each([
    ['no content', '<entry><title>Hi</title></entry>'],
    ['empty content', '<entry><title>Hi</title><content/></entry>'],
    ['content as text', '<entry><title>Hi</title><content>{"title":"Hi"}</content></entry>'],
    ['content twice', '<entry><content><activity/></content><content><activity/></content><title>Hi</title></entry>'],
    ['two elements in content', '<entry><title>Hi</title><content><activity/><activity/></content></entry>'],
    ['AppData', `<entry><title>Hi</title><content><appdata>${pair}</appdata></content></entry>`],
    ['a title twice', '<entry><title>Hi</title><title>Hi</title><content><activity/></content></entry>'],
    ['a title with markup', '<entry><title><b>Hi</b></title><content><activity/></content></entry>'],
    ['text in the entry', '<entry>x<title>Hi</title><content><activity/></content></entry>'],
    ['a feed', '<feed><entry><title>Hi</title><content><activity/></content></entry></feed>'],
    ['no Atom', '<activity><title>Hi</title></activity>'],
  ])('%s is no activity in Atom: 400, and nothing is saved (contract §2)', async (_, body) => {
    const site = await openSite(open, village);
    expect((await site.send(post(activities, body, 'application/atom+xml'))).status).toBe(400);
    expect((await site.get(activities)).json.totalResults).toBe(0);
  });

  test('title or url twice in an activity is 400 (contract §2)', async () => {
    const site = await openSite(open, village);
    for (const members of ['<title>a</title><title>a</title>', '<title>a</title><url>/a</url><url>/a</url>']) {
      expect((await site.send(post(activities, `<activity>${members}</activity>`))).status).toBe(400);
    }
  });

  test('another encoding is 415, in the type or in the document; invalid UTF-8 is 400 (contract §2)', async () => {
    const site = await openSite(open, village);
    const body = `<appdata>${pair}</appdata>`;
    const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${body}`;
    expect((await site.send(post(appData, body, 'application/xml; charset=iso-8859-1'))).status).toBe(415);
    for (const encoding of ['ISO-8859-1', 'UTF-16', 'utf8x']) {
      expect((await site.send(post(appData, declared(encoding)))).status, encoding).toBe(415);
    }
    const latin = Buffer.from('<appdata><entry><key>k</key><value>\u00e9</value></entry></appdata>', 'latin1');
    expect((await site.send(post(appData, latin))).status).toBe(400);
    expect((await site.send(post(appData, Buffer.from(`\ufeff${body}`, 'utf16le')))).status).toBe(400);
    expect(await stored(site)).toEqual({ 1: {} });
  });

  test.each([
    ['application/xhtml+xml', 415],
    ['application/xml-dtd', 415],
    ['image/svg+xml', 415],
  ])('a body of the type %s: %i (contract §2)', async (type, status) => {
    const site = await openSite(open, village);
    expect((await site.send(post(appData, `<appdata>${pair}</appdata>`, type))).status).toBe(status);
  });
});
