import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStories, type Stories } from '../src/stories/stories.ts';

let folder: string;
let stories: Stories;
let changes: PromiseWithResolvers<void>;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'stories-')), 'hello');
  await mkdir(folder);
  changes = Promise.withResolvers();
  stories = createStories({ apps: () => [{ id: 'hello', folder }], onChange: () => changes.resolve() });
});
afterEach(async () => {
  await stories.close();
  await rm(join(folder, '..'), { recursive: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

test('lists each named export of a story file as a story, with types stripped', async () => {
  await write(
    'hello.gadget.ts',
    `import type { Story } from '@gantry/lab/scenario';
     export const empty: Story = { world: 'empty' };
     export const inTheDark: Story = { title: 'Large, in the dark', theme: 'dark', width: 960, state: { tab: 2 } };
     export const also: Story = { world: './own.json' };`,
  );
  expect(await stories.list()).toEqual({
    stories: [
      story('empty', { title: 'Empty', scenario: { world: 'empty' } }),
      story('inTheDark', { title: 'Large, in the dark', scenario: { theme: 'dark', width: 960 } }),
      story('also', { title: 'Also', scenario: { world: join(folder, 'own.json') } }),
    ],
    problems: [],
    apps: [{ id: 'hello', folder: 'hello' }],
  });
});

test('a file that cannot be loaded is named with its place, and takes no other with it', async () => {
  await write('broken.gadget.mjs', 'export const a = {\n  b: 1,\n  c = 2,\n};');
  await write('typed.gadget.ts', `import { Story } from './types.ts';\nexport const a: Story = {};`);
  await write('types.ts', 'export interface Story {}');
  await write('throws.gadget.js', `\nthrow new Error('no luck');`);
  await write('exits.gadget.mjs', 'process.exit(3);');
  await write('fine.gadget.mjs', 'export const fine = {};');
  const { stories: listed, problems } = await stories.list();
  expect(listed.map(({ id }) => id)).toEqual(['hello/fine']);
  expect(problems).toEqual([
    { app: 'hello', file: 'broken.gadget.mjs', message: 'Invalid shorthand property initializer', line: 3 },
    { app: 'hello', file: 'exits.gadget.mjs', message: 'The file ended its process.' },
    { app: 'hello', file: 'throws.gadget.js', message: 'no luck', line: 2, column: 7 },
    {
      app: 'hello',
      file: 'typed.gadget.ts',
      message: expect.stringContaining("import type { Story } from '@gantry/lab/scenario';"),
      line: 1,
    },
  ]);
});

test('a file with the suffix of stories before is named with its new name, and one of Storybook is left alone', async () => {
  await write('cat.stories.ts', `export const tame = {};`);
  await write('button.stories.js', `export default { title: 'Button' };\nexport const Primary = {};`);
  const message = 'Stories have another suffix now: rename cat.stories.ts to cat.gadget.ts.';
  expect(await stories.list()).toMatchObject({
    stories: [],
    problems: [{ app: 'hello', file: 'cat.stories.ts', message }],
  });
  await expect(stories.find('hello/tame')).rejects.toThrow(message);
});

test('an export that is no story is named, with the member and what would be right', async () => {
  await write(
    'hello.gadget.mjs',
    `export const typo = { them: 'dark' };
     export const value = { theme: 'drak', width: 3000 };
     export const call = () => {};
     export const callback = { view: () => 'home' };
     export const map = { state: new Map([[1, () => {}]]) };
     export const zone = { timeZone: 'Europe/Berln' };
     export default {};`,
  );
  const { stories: listed, problems } = await stories.list();
  expect(listed).toEqual([]);
  expect(problems.map(({ name, message }) => [name, message])).toEqual([
    ['typo', 'There is no member "them" in a story. Did you mean "theme"?'],
    ['value', 'theme is "drak", but must be light or dark. Did you mean "dark"?'],
    ['value', 'width is 3000, but must be a number of CSS pixels from 120 to 2560.'],
    ['call', "It is a function, but a story is an object: export const call: Story = { world: 'empty' };"],
    ['callback', 'view must be plain data, or not be there.'],
    ['map', 'state must be plain data.'],
    ['zone', 'timeZone is "Europe/Berln", but must be a time zone such as Europe/Berlin.'],
    ['default', 'A default export is no story. Give it a name: export const empty: Story = { … };'],
  ]);
});

test('two exports with one id are not taken for each other', async () => {
  await write('a.gadget.mjs', 'export const empty = {};');
  await write('b.gadget.mjs', 'export const Empty = {};');
  const { stories: listed, problems } = await stories.list();
  expect(listed.map(({ id }) => id)).toEqual(['hello/empty']);
  expect(problems).toMatchObject([
    { file: 'b.gadget.mjs', name: 'Empty', message: expect.stringContaining('a story empty in a.gadget.mjs') },
  ]);
});

test("a story's function makes its world, in Node; one that throws says so", async () => {
  await write(
    'hello.gadget.ts',
    `export const own = { theme: 'dark', world: async () => ({ site: { name: process.title && 'Own' }, members: [] }) };
     export const bad = { world: () => { throw new Error('no luck'); } };
     export const none = { world: () => {} };`,
  );
  const story = await stories.find('hello/own');
  expect(story.scenario).toEqual({ theme: 'dark' });
  expect(await story.world?.()).toEqual({ site: { name: 'Own' }, members: [] });
  const worldOf = async (id: string): Promise<unknown> => (await stories.find(id)).world?.();
  await expect(worldOf('hello/bad')).rejects.toThrow('hello.gadget.ts, bad: its world cannot be made: no luck');
  await expect(worldOf('hello/none')).rejects.toThrow('it returned undefined, but a world is an object');
});

test('an id that no story has is refused with those there are', async () => {
  await write('hello.gadget.mjs', `export const empty = {}; export const full = {}; export const odd = { theme: 1 };`);
  await expect(stories.find('hello/emtpy')).rejects.toThrow(
    'No story "hello/emtpy". Did you mean "hello/empty"? Stories: hello/empty, hello/full. Apps: hello.',
  );
  await expect(stories.find('hello/odd')).rejects.toThrow('hello.gadget.mjs: theme is 1, but must be light or dark.');
});

test('a mount replaces members of a story; what no scenario has is refused', async () => {
  await write('hello.gadget.mjs', `export const empty = { world: 'empty', theme: 'dark', state: { tab: 1 } };`);
  expect(await stories.open({ story: 'hello/empty', props: { theme: 'light', world: './own.json' } })).toEqual({
    id: 'hello/empty',
    app: 'hello',
    story: 'hello/empty',
    scenario: { world: join(folder, 'own.json'), theme: 'light' },
    state: { tab: 1 },
  });
  expect(await stories.open({ story: 'hello', props: { width: 400 } })).toEqual({
    id: 'hello',
    app: 'hello',
    scenario: { width: 400 },
  });
  await expect(stories.open({ story: 'hello/empty', props: { persona: 7, thme: 'dark' } })).rejects.toThrow(
    `hello/empty: persona is 7, but must be a member's id, or nobody. There is no member "thme" in a story. Did you mean "theme"?`,
  );
});

test('a change of a story file, or of a module that it imports, is read anew', async () => {
  await write('people.ts', `export const name: string = 'before';`);
  await write('hello.gadget.ts', `import { name } from './people.ts';\nexport const one = { title: name };`);
  expect((await stories.list()).stories).toMatchObject([{ title: 'before', revision: 1 }]);
  await write('people.ts', `export const name: string = 'after';`);
  await changes.promise;
  expect((await stories.list()).stories).toMatchObject([{ title: 'after', revision: 2 }]);
  changes = Promise.withResolvers();
  await write('second.gadget.ts', 'export const two = {};');
  await changes.promise;
  expect((await stories.list()).stories).toHaveLength(2);
});

function story(name: string, more: object): object {
  return { id: `hello/${name}`, app: 'hello', name, file: 'hello.gadget.ts', revision: 1, makesWorld: false, ...more };
}
