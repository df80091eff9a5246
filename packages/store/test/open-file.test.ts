import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FileChanged, isPassingFault, openFile } from '@gantry/store';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const text = async (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

test('a regular file is read as a whole, from its start, or as a stream', async () => {
  const path = join(folder, 'a.txt');
  await writeFile(path, 'content');
  const open = async () => (await openFile(path)) ?? expect.fail('it is there');
  const sized = await open();
  expect(sized.size).toBe(7);
  await sized.close();
  expect(String(await (await open()).read())).toBe('content');
  expect(String(await (await open()).readStart(3))).toBe('con');
  expect(await text((await open()).stream())).toBe('content');
  await writeFile(path, '');
  expect(await text((await open()).stream())).toBe('');
});

test('a stream reads a chunk when it is asked for one, and nothing ahead', async () => {
  const path = join(folder, 'large');
  await writeFile(path, new Uint8Array(1_000_000));
  const file = (await openFile(path)) ?? expect.fail('it is there');
  const reader = ((await file.body()) as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value?.byteLength).toBe(65_536);
  await truncate(path, 65_536); // had more been read, there would be a second chunk
  await expect(reader.read()).rejects.toThrow(FileChanged);
});

test('a part of a file is read as a stream or at once, and chunks leave it open', async () => {
  const path = join(folder, 'large');
  const content = 'abcdefgh'.repeat(20_000);
  await writeFile(path, content);
  const open = async () => (await openFile(path)) ?? expect.fail('it is there');
  for (const range of [
    { start: 3, end: 5 },
    { start: 65_535, end: 131_073 },
    { start: 159_999, end: 160_000 },
  ]) {
    const body = (await (await open()).body(range)) as ReadableStream<Uint8Array>;
    expect(await text(body)).toBe(content.slice(range.start, range.end));
  }
  const file = await open();
  for await (const chunk of file.chunks()) expect(chunk.byteLength).toBeLessThanOrEqual(65_536);
  expect(String(await file.read())).toBe(content);
});

test('a file that is written over at its size fails before its last byte; one that is replaced is read to its end', async () => {
  const path = join(folder, 'film');
  const content = 'a'.repeat(100_000);
  await writeFile(path, content);
  const open = async () => (await openFile(path)) ?? expect.fail('it is there');
  const replaced = await open();
  await writeFile(`${path}-new`, 'b'.repeat(100_000));
  await rename(`${path}-new`, path);
  expect(await text(replaced.stream())).toBe(content);
  const [stream, part, chunks] = await Promise.all([open(), open(), open()]);
  await writeFile(path, 'c'.repeat(100_000));
  await utimes(path, 1, 1); // differs from the time of 'b'
  await expect(text(stream.stream())).rejects.toThrow(FileChanged);
  await expect(part.body({ start: 0, end: 9 })).rejects.toThrow(FileChanged);
  const read = async () => {
    for await (const _ of chunks.chunks());
  };
  await expect(read()).rejects.toThrow(FileChanged);
});

test('a file that becomes shorter fails, whole and as a stream: it is never taken for a whole one', async () => {
  const path = join(folder, 'short');
  await writeFile(path, '12345678');
  const files = await Promise.all([openFile(path), openFile(path)]);
  await truncate(path, 3);
  await expect(files[0]?.read()).rejects.toThrow(FileChanged);
  await expect(text(files[1]?.stream() ?? expect.fail())).rejects.toThrow(FileChanged);
  expect(isPassingFault(new FileChanged())).toBe(true);
});

test('does not wait for pipes, sockets and other irregular files (security rule 33)', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const server = createServer().listen(join(folder, 'socket'));
  await mkdir(join(folder, 'sub'));
  for (const name of ['pipe', 'socket', 'sub', '.', 'missing', 'a\0b', 'x'.repeat(300), 'pipe/x']) {
    expect([name, await openFile(join(folder, name))]).toEqual([name, undefined]);
    expect([name, await openFile(name, { below: folder })]).toEqual([name, undefined]);
  }
  expect(await openFile('/dev/zero')).toBeUndefined();
  server.close();
});

test('a pipe stops a process that opens it as a file: the control for the test above', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const naive = `require('node:fs').openSync(${JSON.stringify(join(folder, 'pipe'))}, 'r')`;
  const run = () => execFileSync(process.execPath, ['-e', naive], { timeout: 1_000, stdio: 'ignore' });
  expect(run).toThrow('ETIMEDOUT');
});

test('a name in a folder is followed by its real path, and never out of the folder (security rule 33)', async () => {
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, 'app', 'in.txt'), 'inside');
  await writeFile(join(folder, 'secret.txt'), 'outside');
  await mkdir(join(folder, 'app-2'));
  await writeFile(join(folder, 'app-2', 'x.txt'), 'beside');
  await symlink('../secret.txt', join(folder, 'app', 'out.txt'));
  await symlink('in.txt', join(folder, 'app', 'link.txt'));
  await symlink('loop', join(folder, 'app', 'loop'));
  const below = join(folder, 'app');
  for (const name of ['out.txt', '../secret.txt', '../app-2/x.txt', 'loop', '']) {
    expect([name, await openFile(name, { below })]).toEqual([name, undefined]);
  }
  const linked = await openFile('link.txt', { below });
  expect([linked?.inFolder, String(await linked?.read())]).toEqual(['in.txt', 'inside']);
  expect(String(await (await openFile(join(below, 'out.txt')))?.read())).toBe('outside'); // control: without `below`
});

test('a version is of one file and its content', async () => {
  const version = async (name: string, content?: string) => {
    if (content !== undefined) await writeFile(join(folder, name), content);
    const file = await openFile(join(folder, name));
    await file?.close();
    return file?.version;
  };
  const first = await version('a', 'one');
  expect(await version('a')).toBe(first);
  expect(await version('b', 'one')).not.toBe(first);
  expect(await version('a', 'other')).not.toBe(first);
  async function setBack(content: string): Promise<string | undefined> {
    await writeFile(join(folder, 'a'), content);
    await utimes(join(folder, 'a'), 1, 1); // as `rsync --times` does
    return version('a');
  }
  const old = await setBack('third');
  await expect.poll(() => setBack('other')).not.toBe(old); // times of files are as coarse as 10 ms
});

test('a process without descriptors says so; it does not take the file for missing', async () => {
  const script = `
    import { openSync } from 'node:fs';
    import { isPassingFault, openFile } from '@gantry/store';
    await openFile('/etc/hostname').then((file) => file?.close());
    try { for (;;) openSync('/dev/null'); } catch {}
    await openFile('/etc/passwd').then((file) => console.log(file), (error) => console.log(error.code, isPassingFault(error)));`;
  const run = `ulimit -n 64; exec "$0" --conditions=@gantry/source --input-type=module -e "$1"`;
  const printed = execFileSync('sh', ['-c', run, process.execPath, script], { cwd: import.meta.dirname });
  expect(String(printed)).toBe('EMFILE true\n');
});
