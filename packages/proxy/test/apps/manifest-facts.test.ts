import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appFacts, checkManifest, listApps, type Manifest, readManifest } from '@gantry/proxy';
import { sql } from '@gantry/store';
import { release } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { compareVersions } from '../../src/apps/semver.ts';
import { openSite } from '../site.ts';

const friends = { name: 'Friends', page: 'index.html' };

function problemOf(facts: object): string {
  try {
    checkManifest({ ...friends, ...facts });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const text = (most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'Z', 'é', 'ж', '語', '🙂', '7', '-'), minLength: 1, maxLength: most });
const digits = fc.stringMatching(/^(0|[1-9]\d{0,17})$/);
const semver = fc
  .tuple(digits, digits, digits, fc.constantFrom('', '-rc.1', '-0.a-b.x7', '+build.007', '-a+b'))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`.slice(0, 64));
const url = fc.stringMatching(/^https:\/\/[a-z]{1,20}\.example(:4430)?(\/[!-~]{0,1900})?$/);
const email = fc.stringMatching(/^[a-z.+-]{1,64}@[a-z]{1,63}\.example$/);
const tag = fc.constantFrom('de', 'pt-BR', 'zh-Hant-TW', 'sgn', 'de-CH-1996');
const facts = fc.record(
  {
    version: semver,
    data: fc.integer({ min: 0, max: 1_000_000 }),
    description: text(500),
    icon: fc.constantFrom('icon.svg', 'pictures/icon.PNG', 'a.webp'),
    author: fc.record({ name: text(100), url, email }, { requiredKeys: ['name'] }),
    categories: fc.array(fc.stringMatching(/^[a-z][a-z0-9-]{1,29}$/), { maxLength: 5 }),
    website: url,
    support: fc.oneof(
      url,
      email.map((address) => `mailto:${address}`),
    ),
    privacy: url,
    changelog: url,
    languages: fc.dictionary(tag, fc.record({ name: text(100), description: text(500) }, { requiredKeys: [] })),
    minimumGantry: fc.constantFrom('0.0.0', `${release}-rc.1`, release),
  },
  { requiredKeys: [] },
);

test('facts within their bounds come back as an author wrote them', () => {
  fc.assert(
    fc.property(facts, (some) => {
      expect(checkManifest({ ...friends, ...some })).toEqual({ ...checkManifest(friends), ...some });
    }),
  );
});

const many = (length: number, name: (index: number) => string) => Array.from({ length }, (_, index) => name(index));
const languages = (length: number) =>
  Object.fromEntries(many(length, (index) => [`de-x${index}`, {}] as never) as Iterable<[string, object]>);
const host = 'https://a.example/';

// The most that a member takes, and one more.
test.each<[string, unknown, unknown]>([
  ['version', `1.0.0-${'a'.repeat(58)}`, `1.0.0-${'a'.repeat(59)}`],
  ['data', 1_000_000, 1_000_001],
  ['data', 0, -1],
  ['description', '語'.repeat(500), '語'.repeat(501)],
  ['description', '🙂'.repeat(500), '🙂'.repeat(501)],
  ['author.name', { name: 'a'.repeat(100) }, { name: 'a'.repeat(101) }],
  ['author.url', { name: 'A', url: host.padEnd(2_000, 'x') }, { name: 'A', url: host.padEnd(2_001, 'x') }],
  ['author.email', { name: 'A', email: `${'a'.repeat(64)}@b.c` }, { name: 'A', email: `${'a'.repeat(65)}@b.c` }],
  ['categories', many(5, (index) => `word-${index}`), many(6, (index) => `word-${index}`)],
  ['categories[0]', ['a'.repeat(30)], ['a'.repeat(31)]],
  ['website', host.padEnd(2_000, 'x'), host.padEnd(2_001, 'x')],
  ['support', host.padEnd(2_000, 'x'), host.padEnd(2_001, 'x')],
  ['privacy', host.padEnd(2_000, 'x'), host.padEnd(2_001, 'x')],
  ['changelog', host.padEnd(2_000, 'x'), host.padEnd(2_001, 'x')],
  ['languages', languages(50), languages(51)],
  ['languages.de.name', { de: { name: 'a'.repeat(100) } }, { de: { name: 'a'.repeat(101) } }],
  ['languages.de.description', { de: { description: 'a'.repeat(500) } }, { de: { description: 'a'.repeat(501) } }],
])('%s takes its bound and not one more, and is named', (path, most, tooMuch) => {
  const [member = ''] = path.split(/[.[]/);
  expect(problemOf({ [member]: most })).toBe('');
  expect(problemOf({ [member]: tooMuch })).toContain(`gadget.json: ${path} must be `);
});

test.each<[string, unknown]>([
  ['version', '1.2'],
  ['version', '01.2.3'],
  ['version', '1.2.3-01'],
  ['version', 'v1.2.3'],
  ['version', '1.2.3\n'],
  ['data', 1.5],
  ['data', '1'],
  ['description', ''],
  ['icon', 'icon.gif'],
  ['icon', '../icon.png'],
  ['icon', '/icon.png'],
  ['icon', 'https://a.example/icon.png'],
  ['icon', '.secret/icon.png'],
  ['icon', 'tests/icon.png'],
  ['author', 'Ann'],
  ['author.name', { url: host }],
  ['author.mail', { name: 'Ann', mail: 'ann@a.example' }],
  ['author.email', { name: 'Ann', email: 'ann@a.example?cc=bo@b.example' }],
  ['categories[0]', ['Games']],
  ['website', 'http://a.example/'],
  ['website', 'https://bank.example@a.example/'],
  ['website', 'https://a.example/\u202e'],
  ['website', 'https://a.example:99999/'],
  ['website', 'javascript:alert(1)'],
  ['website', 'mailto:ann@a.example'],
  ['support', 'mailto:ann@a.example?body=x'],
  ['languages.de_DE', { de_DE: { name: 'A' } }],
  ['languages.de.page', { de: { page: 'de.html' } }],
  ...['a\nb', 'a\u202eb', '\u200b', `Z${'\u0301'.repeat(40)}`].flatMap((hidden): [string, unknown][] => [
    ['description', hidden],
    ['author.name', { name: hidden }],
    ['languages.de.name', { de: { name: hidden } }],
    ['languages.de.description', { de: { description: hidden } }],
  ]),
])('%s is refused by name for %j (security rules 25, 38)', (path, value) => {
  expect(problemOf({ [path.split(/[.[]/)[0] as string]: value })).toContain(`gadget.json: ${path} must be `);
});

test('an app that needs a later Gantry is refused with both versions', () => {
  expect(problemOf({ minimumGantry: '99.0.0' })).toBe(
    `gadget.json: minimumGantry must be at most ${release}, the version of this Gantry (update it to take this app), not "99.0.0".`,
  );
});

test('versions are compared by precedence (SemVer 2.0.0 §11)', () => {
  const ascending = [
    ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11'],
    ...['1.0.0-rc.1', '1.0.0', '2.0.0', '2.1.0', '2.1.1', '2.1.10', '2.10.0', `${10n ** 20n}.0.0`],
  ];
  const orders = ascending.flatMap((a, i) =>
    ascending.map((b, j) => [Math.sign(compareVersions(a, b)), i - j] as const),
  );
  for (const [order, expected] of orders) expect(order).toBe(Math.sign(expected));
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});

test.each<[string | string[], string, string | undefined]>([
  ['de-AT,de;q=0.9,en;q=0.8', 'Freunde in Wien', 'Deine Freunde'],
  ['DE-at', 'Freunde in Wien', 'Deine Freunde'],
  ['de-CH-1996', 'Freunde', 'Deine Freunde'],
  [['de'], 'Freunde', 'Deine Freunde'],
  ['pt-BR', 'Friends', 'Seus amigos'],
  ['en-GB,de;q=0.9', 'Friends', 'Your friends'],
  ['', 'Friends', 'Your friends'],
  [[], 'Friends', 'Your friends'],
  ['constructor', 'Friends', 'Your friends'],
])('a reader of %j gets the nearest texts (RFC 4647 §3.4)', (wanted, name, description) => {
  const languages = {
    'de-AT': { name: 'Freunde in Wien' },
    de: { name: 'Freunde', description: 'Deine Freunde' },
    pt: { description: 'Seus amigos' },
  };
  expect(appFacts({ name: 'Friends', description: 'Your friends', languages }, wanted)).toEqual({ name, description });
});

test('an app that was registered before has the data of version 0', async () => {
  const { db } = await openSite();
  await db.query(sql`update app_registrations set manifest = '{"name":"Old","page":"index.html"}' where id = 'notes'`);
  const manifestOf = async (id: string) => (await listApps(db)).find((app) => app.id === id)?.manifest as Manifest;
  expect(await manifestOf('notes')).toMatchObject({ name: 'Old', data: 0 });
  expect((await manifestOf('friends')).data).toBe(0);
});

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8L', 'latin1');

test.each<[string, Buffer | string | undefined, string]>([
  ['icon.png', Buffer.concat([png, Buffer.alloc(99_992)]), ''],
  ['icon.webp', webp, ''],
  ['icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', ''],
  ['icon.svg', '\uFEFF<?xml version="1.0"?>\n<!-- drawn by hand -->\n<svg>', ''],
  ['icon.png', undefined, 'icon names icon.png, which is missing in '],
  [
    'icon.png',
    Buffer.concat([png, Buffer.alloc(99_993)]),
    'icon must be a file of at most 100,000 bytes, and icon.png has 100,001.',
  ],
  ['icon.png', webp, 'icon must be a picture, and icon.png is no PNG.'],
  ['icon.webp', png, 'icon must be a picture, and icon.webp is no WebP.'],
  ['icon.svg', '<!doctype html><script>alert(1)</script>', 'icon must be a picture, and icon.svg is no SVG.'],
])('the icon %s is read from the folder', async (icon, content, problem) => {
  const folder = folderForTest();
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ ...friends, icon }));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  if (content !== undefined) await writeFile(join(folder, icon), content);
  const reading = readManifest(folder).then(
    () => '',
    ({ message }: Error) => message,
  );
  expect((await reading).slice(0, `gadget.json: ${problem}`.length)).toBe(problem && `gadget.json: ${problem}`);
});
