import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecord, type LabEvent } from '@gantry/lab';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { keepUse } from '../src/keep-use.ts';

let folder: string;
beforeEach(async () => {
  folder = folderForTest();
  await writeFile(join(folder, 'gadget.json'), '{"name":"A","page":"index.html"}');
});

const people: LabEvent = { kind: 'call', call: 1, operation: 'people.get', params: {} };
const origin = { lab: 'a', app: 'hello', place: '1' };

function keeping() {
  const record = createRecord();
  const waiting: (() => void)[] = [];
  const kept = keepUse({
    record,
    apps: () => [{ id: 'hello', folder }],
    later: (work) => {
      waiting.push(work);
      return () => {};
    },
  });
  return { record, kept, waiting };
}

test('a run is kept beside its app, as whole files that git leaves out', async () => {
  const { record, kept, waiting } = keeping();
  record.add({ ...people, ...origin });
  record.add({ ...people, call: 2, ...origin });
  record.add({ kind: 'call', call: 3, operation: 'albums.get', params: {}, ...origin });
  expect(waiting).toHaveLength(1);
  await kept.close();
  const files = await readdir(join(folder, '.gantry'));
  expect(files.sort()).toEqual(['.gitignore', 'last-run.json']);
  for (const path of ['.gantry/.gitignore', '.gantry/last-run.json', 'gadget.json']) {
    const { mode } = await stat(join(folder, path));
    expect((mode & 0o077) === 0).toBe(path !== 'gadget.json'); // security rule 30; the last one is the control
  }
  expect(await readFile(join(folder, '.gantry/.gitignore'), 'utf8')).toBe('*\n');
  expect(JSON.parse(await readFile(join(folder, '.gantry/last-run.json'), 'utf8'))).toMatchObject({
    ...{ version: 1, app: 'hello', operations: ['albums.get', 'people.get'] },
    manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('calls of other apps, and calls after the end, are not written', async () => {
  const { record, kept } = keeping();
  record.add({ ...people, ...origin, app: 'other' });
  await kept.close();
  record.add({ ...people, ...origin });
  await kept.flush();
  expect(await readdir(folder)).toEqual(['gadget.json']);
});

test.each([
  ['src/main.ts', ['albums.get']],
  ['gadget.json', ['albums.get']],
  ['README.md', ['albums.get', 'people.get']],
  ['tests/app.spec.ts', ['albums.get', 'people.get']],
  ['.gantry/last-run.json', ['albums.get', 'people.get']],
])('a change of %s leaves these calls: %j', async (path, operations) => {
  const { record, kept } = keeping();
  record.add({ ...people, ...origin });
  await kept.flush();
  record.add({ kind: 'load', what: 'ready', ...origin });
  kept.changed('hello', path);
  record.add({ kind: 'call', call: 3, operation: 'albums.get', params: {}, ...origin });
  await kept.close();
  expect(JSON.parse(await readFile(join(folder, '.gantry/last-run.json'), 'utf8'))).toMatchObject({ operations });
});

test('a link in place of the folder is not followed (security rule 33)', async () => {
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, join(folder, '.gantry'));
  const { record, kept } = keeping();
  record.add({ ...people, ...origin });
  await kept.flush();
  record.add({ kind: 'call', call: 3, operation: 'albums.get', params: {}, ...origin });
  await kept.close();
  expect(await readdir(elsewhere)).toEqual([]);
});
