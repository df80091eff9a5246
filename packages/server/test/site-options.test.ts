import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { createGantry, UsageError } from '../src/index.ts';

test('a folder, an address and a viewer are enough: the database is a file in the folder', async () => {
  const data = join(folderForTest(), 'data');
  const gantry = await createGantry({ data, url: 'http://localhost:4400/', viewer: () => undefined });
  expect(existsSync(join(data, 'gantry.db'))).toBe(true);
  expect((await gantry.fetch(new Request('http://localhost:4400/gantry/calls'), '/gantry/calls')).status).toBe(405);
  await gantry.close();
});

const address = 'must be an address such as https://social.example, without a path';
const wrong: readonly (readonly [string, object, string])[] = [
  ['a text for sharesDatabase', { sharesDatabase: 'no' }, 'sharesDatabase must be true or false.'],
  [
    'an address with a path',
    { url: 'https://social.example/app' },
    `url must be an address without a path, not "https://social.example/app": Gantry's paths begin at the root of the host. Use https://social.example, and pass those paths on from there.`,
  ],
  ['a host alone', { url: 'social.example' }, `url ${address}, not "social.example".`],
  ['no address', { url: undefined }, `url ${address}, not "undefined".`],
  ['no folder', { data: undefined }, 'data must name a folder, such as ./data.'],
  ['a member in place of a function', { viewer: 'm-1' }, 'viewer must be a function.'],
  [
    'a host of apps with a path',
    { appsHost: 'https://apps.example/x' },
    `appsHost ${address}, not "https://apps.example/x".`,
  ],
];
test.each(wrong)('%s is refused in a sentence before anything is written', async (_, option, message) => {
  const data = join(folderForTest(), 'data');
  const options = { data, url: 'https://social.example', viewer: () => undefined, ...option };
  await expect(createGantry(options)).rejects.toThrow(new UsageError(message));
  expect(existsSync(data)).toBe(false);
});
