import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkManifest, readManifest } from '@gantry/proxy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { isSourceOrigin } from '../../src/apps/manifest.ts';

const friends = { name: 'Friends', page: 'index.html' };

test('a misspelled member is named before the one that is missing for it', () => {
  expect(() => checkManifest({ name: 'App', pagee: 'index.html' })).toThrow(
    /^gadget\.json: pagee must be left out: .* Did you mean "page"\?$/,
  );
});

test('fills in what an author left out', () => {
  expect(checkManifest(friends)).toEqual({
    name: 'Friends',
    page: 'index.html',
    height: 200,
    uses: [],
    fields: [],
    optional: { uses: [], fields: [] },
    hosts: [],
    preload: [],
    storage: false,
    data: 0,
  });
});

test('keeps everything that an author wrote', () => {
  const manifest = {
    name: 'Friends',
    page: 'pages/index.html',
    height: 320,
    views: { home: 'pages/index.html', canvas: 'pages/large.html', 'canvas.map': 'pages/map.html' },
    sizing: 'automatic' as const,
    uses: ['people.get', 'appdata.update'],
    fields: ['aboutMe'],
    hosts: ['https://images.example', 'http://localhost:9000'],
    optional: { uses: ['activities.create'], fields: ['birthday'] },
    preload: [{ operation: 'people.get', params: { groupId: '@friends', fields: ['aboutMe'] } }],
    storage: true,
    data: 2,
  };
  expect(checkManifest({ $schema: 'https://gantry.example/gadget.json', ...manifest })).toEqual(manifest);
});

const calls =
  'people.get, people.getSupportedFields, activities.get, activities.getSupportedFields, activities.create, ' +
  'appdata.get, appdata.update, appdata.delete, albums.get, albums.create, albums.update, albums.delete, ' +
  'mediaItems.get, mediaItems.create, mediaItems.update, mediaItems.delete';
const members =
  'name, page, views, sizing, height, uses, fields, optional, hosts, preload, storage, version, data, description, ' +
  'icon, author, categories, website, support, privacy, changelog, languages, minimumGantry';
const origin = 'an origin such as "https://images.example", without path, wildcard or quotes';
const page = 'the path of an HTML file in the app\'s folder, such as "index.html"';

test.each([
  [{ height: 'tall' }, 'gadget.json: height must be a whole number of CSS pixels between 1 and 5000, not "tall".'],
  [{ height: 0 }, 'gadget.json: height must be a whole number of CSS pixels between 1 and 5000, not 0.'],
  [{ height: 1.5 }, 'gadget.json: height must be a whole number of CSS pixels between 1 and 5000, not 1.5.'],
  [{ name: undefined }, 'gadget.json: name must be a title of 1 to 100 characters.'],
  [{ name: '' }, 'gadget.json: name must be a title of 1 to 100 characters, not "".'],
  ...['\u200b', 'Friends\u202e', '\u3164', `Z${'\u0301'.repeat(40)}`].map((name): [object, string] => [
    { name },
    `gadget.json: name must be a title that can be seen, without invisible characters or a pile of accents, not ${JSON.stringify(name)}.`,
  ]),
  [{ uses: 'people.get' }, 'gadget.json: uses must be a list, not "people.get".'],
  [{ uses: ['people.get', 'people.steal'] }, `gadget.json: uses[1] must be one of ${calls}, not "people.steal".`],
  [{ hieght: 320 }, `gadget.json: hieght must be left out: a manifest has only ${members}. Did you mean "height"?`],
  [{ use: [] }, `gadget.json: use must be left out: a manifest has only ${members}. Did you mean "uses"?`],
  [
    { uses: ['people.gets'] },
    `gadget.json: uses[0] must be one of ${calls}, not "people.gets". Did you mean "people.get"?`,
  ],
  [{ page: '../secret.html' }, `gadget.json: page must be ${page}, not "../secret.html".`],
  [
    { views: { lobby: 'index.html' } },
    'gadget.json: views.lobby must be a view: one of home, profile, canvas, preferences, or a sub-view such as canvas.map, not "lobby".',
  ],
  [{ views: { canvas: '../secret.html' } }, `gadget.json: views.canvas must be ${page}, not "../secret.html".`],
  [{ sizing: 'huge' }, 'gadget.json: sizing must be one of fixed, maximal, automatic, not "huge".'],
  [{ page: 'index.js' }, `gadget.json: page must be ${page}, not "index.js".`],
  [
    { hosts: ['https://a.example; script-src *'] },
    `gadget.json: hosts[0] must be ${origin}, not "https://a.example; script-src *".`,
  ],
  [
    { preload: [{ operation: 'appdata.update' }] },
    'gadget.json: preload[0].operation must be one of people.get, activities.get, appdata.get, albums.get, mediaItems.get, not "appdata.update".',
  ],
  [{ preload: [{ operation: 'people.get' }] }, 'gadget.json: preload[0] calls people.get, so uses must list it.'],
  [
    { optional: { uses: ['people.get'] }, preload: [{ operation: 'people.get' }] },
    'gadget.json: preload[0] calls people.get, so uses must list it.',
  ],
  [
    {
      uses: ['people.get'],
      fields: ['gender'],
      preload: [{ operation: 'people.get', params: { fields: 'gender,birthday,age' } }],
    },
    'gadget.json: preload[0]: fields must list age, birthday.',
  ],
  [
    { uses: ['mediaItems.get'], preload: [{ operation: 'mediaItems.get' }] },
    'gadget.json: preload[0]: albumId must be the id of an album.',
  ],
  [{ optional: { hosts: [] } }, 'gadget.json: optional.hosts must be left out: optional has only uses and fields.'],
  [{ storage: 'yes' }, 'gadget.json: storage must be true or false, not "yes".'],
])('%j is refused by name, with what would be right', (change, message) => {
  const { name, page, ...rest } = { ...friends, ...change } as Record<string, unknown>;
  const manifest = JSON.parse(JSON.stringify({ name, page, ...rest }));
  expect(() => checkManifest(manifest)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('something that is no object is refused', () => {
  expect(() => checkManifest('Friends')).toThrow('gadget.json: it must be an object, not "Friends".');
});

test('a missing folder, a missing manifest, broken JSON and a missing page have different errors', async () => {
  const folder = folderForTest();
  await expect(readManifest(join(folder, 'none'))).rejects.toThrow(`There is no folder ${folder}/none.`);
  await expect(readManifest(folder)).rejects.toThrow(`gadget.json is missing in ${folder}.`);
  await writeFile(join(folder, 'gadget.json'), '{"name":');
  await expect(readManifest(folder)).rejects.toThrow(/^gadget\.json:\d+:\d+ is not JSON: /);
  await writeFile(join(folder, 'gadget.json'), JSON.stringify(friends));
  await expect(readManifest(folder)).rejects.toThrow(
    `gadget.json: page names index.html, which is missing in ${folder}.`,
  );
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await expect(readManifest(folder)).resolves.toMatchObject(friends);
});

test.each([
  'https://a.example;script-src *',
  "https://a.example'unsafe-eval'",
  'https://a.example https://b.example',
  'https://a.example\nSet-Cookie: a=b',
  'https://a.example,https://b.example',
  'https://a.example/',
  'https://a.example/path',
  'https://*.example',
  'https://user@a.example',
  'https://A.example',
  'http://a.example',
  'data:',
  'javascript:alert(1)',
  '*',
  "'self'",
  '',
])('%j may not stand in a header (security rule 5)', (text) => {
  expect(isSourceOrigin(text)).toBe(false);
});

test('an origin may stand in a header', () => {
  expect(['https://a.example', 'https://a.example:8443', 'http://localhost:9000'].every(isSourceOrigin)).toBe(true);
});

test('no text with a separator of a header passes for an origin (security rule 5)', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(';', ',', '"', "'", ' ', '\n', '\r', '\t', '(', ')'),
      (text, separator) => {
        expect(isSourceOrigin(`https://a.example${separator}${text}`)).toBe(false);
      },
    ),
  );
});
