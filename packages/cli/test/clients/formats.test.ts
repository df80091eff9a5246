import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom';
import { OAuth } from 'oauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());

/** One request of member 1, signed and sent by a client that is not ours. */
function client(path: string, post?: { readonly type: string; readonly body: string }): Promise<string> {
  const oauth = new OAuth('', '', 'notes-key', 'notes-secret', '1.0', null, 'HMAC-SHA1');
  const url = `${site.server.url}/social/rest${path}`;
  return new Promise((resolve, reject) => {
    const done = (error: { statusCode: number; data?: unknown } | null, data: unknown) => {
      if (error) reject(new Error(`${error.statusCode} ${error.data}`));
      else resolve(String(data));
    };
    if (post) oauth.post(url, '', '', post.body, post.type, done);
    else oauth.get(url, '', '', done);
  });
}

function texts(xml: string, name: string): readonly (string | null)[] {
  const document = new DOMParser({ onError: onWarningStopParsing }).parseFromString(xml, 'application/xml');
  return [...document.getElementsByTagNameNS('*', name)].map((element) => element.textContent);
}

test('a client that is not ours writes and reads AppData as XML and as Atom (contract §2, §3)', async () => {
  const path = '/appData/@me/@self/@app?xoauth_requestor_id=1';
  const data = '<appdata><entry><key>best</key><value>7 &lt; 9\n</value></entry></appdata>';
  expect(await client(`${path}&format=xml`, { type: 'application/xml', body: data })).toContain('<response><entry/>');
  expect(texts(await client(`${path}&format=xml`), 'value')).toEqual(['7 < 9\n']);
  const entry = `<entry xmlns="http://www.w3.org/2005/Atom"><content>${data.replace('7', '8')}</content></entry>`;
  await client(path, { type: 'application/atom+xml', body: entry });
  expect(texts(await client(`${path}&format=atom`), 'value')).toEqual(['8 < 9\n']);
});

test('the bodies that the docs show are taken, and what they show of answers is answered', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/rest-api.md'), 'utf8');
  const types = { JSON: 'application/json', XML: 'application/xml', Atom: 'application/atom+xml' };
  await site.gantry('settings', 'set', 'minimumInterval', '0');
  for (const [format, type] of Object.entries(types)) {
    const [, appData = '', activity = ''] =
      new RegExp(`^\\| ${format} \\| \`(.*?)\` \\| \`(.*?)\` \\|$`, 'm').exec(page) ?? [];
    const path = '/appData/@me/@self/@app?xoauth_requestor_id=1';
    await client(path, { type, body: appData });
    const line = (await client(`${path}&format=xml`)).split('\n')[1];
    expect(page).toContain(`\`\`\`xml\n${line}\n\`\`\``);
    const posted = await client('/activities/@me/@self?xoauth_requestor_id=1', { type, body: activity });
    expect(JSON.parse(posted).entry).toMatchObject({ title: 'Hello', url: `${site.server.url}/walks/1` });
  }
});

test('the next page of a feed is where its link says (contract §3)', async () => {
  const first = await client('/people/@me/@friends?count=1&format=atom&xoauth_requestor_id=1');
  const document = new DOMParser().parseFromString(first, 'application/xml');
  const next = [...document.getElementsByTagName('link')].find((link) => link.getAttribute('rel') === 'next');
  const { pathname, search } = new URL(next?.getAttribute('href') ?? '');
  const second = await client(pathname.slice('/social/rest'.length) + search);
  expect([texts(first, 'displayName'), texts(second, 'displayName')]).toEqual([['Bo'], ['Cy']]);
  expect(second).not.toContain('rel="next"');
});

const ofOneExchange = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

test.each([
  ['json', '/people/@me/@friends', 200],
  ['xml', '/people/@me/@friends', 200],
  ['atom', '/people/@me/@friends', 200],
  ['xml', '/people/404/@self', 404],
])('HEAD in %s of %s has the headers of GET, Content-Length too (contract §1)', async (format, path, status) => {
  const answers = await Promise.all(['GET', 'HEAD'].map((method) => site.ask(`${path}?format=${format}`, { method })));
  const [get, head] = answers.map(({ headers }) =>
    Object.fromEntries([...headers].filter(([name]) => !ofOneExchange.has(name))),
  );
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  expect(head).toEqual(get);
  expect(Number(head?.['content-length'])).toBe((await answers[0]?.text())?.length);
  expect(await answers[1]?.text()).toBe('');
});
