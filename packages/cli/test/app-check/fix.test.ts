import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecord, createRunUse, type LabEvent } from '@gantry/lab';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { runCommand } from '../run-command.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const manifest = `{
  "name": "Hello",
  "page": "index.html",
  "uses": ["people.get", "albums.get"],
  "preload": [
    { "operation": "people.get", "params": { "userId": "@viewer" } }
  ]
}
`;
const page = '<script src="/gantry/osapi.js"></script><script>osapi.people.get(); run();</script>';
const ready: LabEvent = { kind: 'load', what: 'ready' };
const friends = { userId: '@viewer', groupId: '@friends', fields: ['birthday'] };

function call(operation: string, params: unknown): LabEvent {
  return { kind: 'call', call: 1, operation, params };
}

async function app(events: readonly LabEvent[], text = manifest): Promise<void> {
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'gadget.json'), text);
  const record = createRecord();
  const use = createRunUse('hello');
  record.subscribe((entry) => use.add(entry));
  for (const event of events) record.add({ ...event, lab: 'a', app: 'hello', place: '1' });
  await mkdir(join(folder, '.gantry'));
  const lastRun = use.use(createHash('sha256').update(text).digest('hex'));
  await writeFile(join(folder, '.gantry/last-run.json'), JSON.stringify(lastRun));
}

const check = (...flags: string[]) => runCommand(['app', 'check', folder, ...flags]);

const text = () => readFile(join(folder, 'gadget.json'), 'utf8');

test('adds what a run needed and takes out what neither it nor a file uses, and says what members are asked then', async () => {
  await app([ready, call('people.get', friends), call('appdata.get', { userId: '@viewer' })]);
  const { code, out } = await check('--fix', '--yes');
  expect(code).toBe(0);
  expect(await text()).toBe(`{
  "name": "Hello",
  "page": "index.html",
  "uses": ["people.get", "appdata.get"],
  "fields": ["birthday"],
  "preload": []
}
`);
  expect(out).toContain('-  "uses": ["people.get", "albums.get"],\n');
  expect(out).toMatch(
    /Members will also be asked to let it:\n {2}- .+ \(appdata\)\n {2}- See your birthday .+ \(people\.birthday\)\nThey will no longer be asked to let it:\n {2}- .+ \(albums\)\nWritten: gadget\.json\.$/,
  );
});

test('a manifest in public is the one that is read and written, as gantry dev takes it', async () => {
  await app([ready, call('people.get', friends)]);
  await mkdir(join(folder, 'public'));
  await rename(join(folder, 'gadget.json'), join(folder, 'public/gadget.json'));
  expect((await check('--fix', '--yes')).code).toBe(0);
  expect(await readFile(join(folder, 'public/gadget.json'), 'utf8')).toContain('"fields": ["birthday"]');
  await expect(text()).rejects.toThrow('ENOENT');
});

test('shows the difference and writes nothing without --yes and a terminal: exit code 3', async () => {
  await app([ready, call('people.get', friends)]);
  const { code, out } = await check('--fix');
  expect(code).toBe(3);
  expect(out).toContain('+  "fields": ["birthday"],');
  expect(out).toMatch(/Nothing was written\.$/);
  expect(await text()).toBe(manifest);
});

test('without --fix nothing changes, and findings say what the run showed', async () => {
  await app([ready, call('people.get', friends)]);
  const { code, err } = await check();
  expect(code).toBe(0);
  expect(err).toContain('gadget.json: The last run needed birthday, which fields does not list.');
  expect(err).toContain('[preload-never-hit]');
  expect(await text()).toBe(manifest);
});

test('a manifest that was fitted to its run is clean, though the run was of another text', async () => {
  await app([ready, call('people.get', friends)]);
  expect((await check('--fix', '--yes')).code).toBe(0);
  expect(await check('--strict')).toMatchObject({ code: 0, err: '' });
  expect((await check('--fix')).out).toMatch(/gadget\.json fits the last run\.$/);
});

test('a preload that the run asked for in other words stays', async () => {
  await app([ready, call('people.get', { userId: ['@me'], groupId: '@self' })]);
  expect((await check()).err).not.toContain('preload-never-hit');
});

test('a call that a file names stays, though the run did not come to it', async () => {
  await app([ready], manifest.replace('"albums.get"', '"people.get"').replace('"people.get", ', ''));
  expect((await check('--fix', '--yes')).out).toContain('"uses": ["people.get"]');
  expect(JSON.parse(await text()).uses).toEqual(['people.get']);
});

test('a run of code that was changed since adds and takes nothing out', async () => {
  await app([ready, call('people.get', friends), call('appdata.get', { userId: '@viewer' })]);
  expect((await check()).err).toContain('[run-needs]'); // control
  const later = new Date(Date.now() + 10_000);
  await utimes(join(folder, 'index.html'), later, later);
  const { code, err } = await check('--fix', '--yes');
  expect([code, await text()]).toEqual([0, manifest]);
  expect(err).toContain('[old-run]');
});

test('a run of another gadget.json adds and takes nothing out', async () => {
  await app([ready, call('appdata.get', { userId: '@viewer' })]);
  await writeFile(join(folder, 'gadget.json'), manifest.replace('Hello', 'Hello again'));
  const { code, err } = await check('--fix', '--yes');
  expect(code).toBe(0);
  expect(err).toContain('[old-run]');
  expect(await text()).toBe(manifest.replace('Hello', 'Hello again'));
});

test('a folder without a run, and one whose app never started, are refused', async () => {
  await app([]);
  expect(await check('--fix', '--yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no run in .gantry/last-run.json.'),
  });
  await writeFile(join(folder, '.gantry/last-run.json'), '{"version":1,');
  expect((await check('--fix', '--yes')).code).toBe(2);
  expect(await text()).toBe(manifest);
});

test('a bad gadget.json is left alone', async () => {
  await app([ready], '{ "name": "Hello", }');
  expect(await check('--fix', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^gadget\.json is not JSON: .* Correct line 1, column 20\.$/),
  });
  expect(await text()).toBe('{ "name": "Hello", }');
});

test('a forged run can name nothing but calls, fields and hosts that there are (security rule 25)', async () => {
  await app([ready]);
  const forged = {
    ...{ version: 1, manifest: createHash('sha256').update(manifest).digest('hex'), starts: 1, reads: 'x' },
    operations: ['people.get"]}, "storage": true', 7, 'appdata.get'],
    fields: ['password', 'age'],
    hosts: ['https://a.example; script-src *', 'javascript:x', 'https://ok.example'],
  };
  await writeFile(join(folder, '.gantry/last-run.json'), JSON.stringify(forged));
  expect((await check('--fix', '--yes')).code).toBe(0);
  expect(JSON.parse(await text())).toMatchObject({
    ...{ uses: ['people.get', 'appdata.get'], fields: ['age'], hosts: ['https://ok.example'] },
  });
});

test('--json prints one object, and --strict ends with 1 for warnings', async () => {
  await app([ready, call('people.get', friends)]);
  const { code, out, err } = await check('--fix', '--json');
  expect(code).toBe(3);
  expect(err).toBe('--yes writes it.');
  expect(JSON.parse(out)).toMatchObject({
    ...{ version: 2, name: 'Hello', asks: ['people', 'albums'], mayAsk: [] },
    findings: expect.arrayContaining([
      expect.objectContaining({ id: 'run-needs', level: 'warning', file: 'gadget.json' }),
    ]),
    fix: { changes: true, written: false, asks: ['people.birthday'], asksNoMore: ['albums'] },
  });
  expect(await check('--strict')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Warnings: \d+, and --strict allows none\.$/),
  });
  expect((await check('--yes')).code).toBe(2);
});
