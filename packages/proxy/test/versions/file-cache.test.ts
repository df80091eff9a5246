import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { HttpBody } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileCache } from '../../src/versions/file-cache.ts';
import type { VersionFile } from '../../src/versions/version-list.ts';
import { filesOf } from './versions.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'gantry-file-cache-')), 'cache');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const script = 'const text = `of a script`;\n'.repeat(30_000); // 840 kB: four chunks
const film = randomBytes(600_000);

/** A cache as one process has it, over chunks that it counts. */
function openCache(
  contents: Readonly<Record<string, string | Uint8Array>>,
  { mostBytes }: { mostBytes?: number } = {},
) {
  const { files, chunks } = filesOf(contents);
  const state = { nowMs: 1_000, reads: 0, reading: 0, held: Promise.resolve(), chunks: new Map(chunks) };
  const logged: string[] = [];
  const cache = createFileCache({
    ...{ folder, mostBytes, now: () => state.nowMs },
    log: { ...silentLogger, error: (_, message) => logged.push(message) },
    chunks: {
      async read(digest) {
        state.reads += 1;
        state.reading += 1;
        await state.held;
        state.reading -= 1;
        return state.chunks.get(digest);
      },
    },
  });
  const named = (path: string) => files.find((file) => file.path === path) as VersionFile;
  const fileOf = (path: string) => cache.fileOf(named(path));
  return { cache, state, logged, fileOf, nameOf: (path: string) => join(folder, named(path).digest) };
}

const bytesOf = async (body: HttpBody) => Buffer.from(await new Response(body as ReadableStream).arrayBuffer());
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a file is read from its chunks once, and then from the folder, which is for its user only (rule 30)', async () => {
  const { fileOf, state, nameOf } = openCache({ 'a.mp4': film });
  expect(await bytesOf(await fileOf('a.mp4').body())).toEqual(film);
  expect(await bytesOf(await fileOf('a.mp4').body({ start: 262_143, end: 262_145 }))).toEqual(
    film.subarray(262_143, 262_145),
  );
  expect([state.reads, await readdir(folder)]).toEqual([3, [nameOf('a.mp4').slice(-64)]]);
  expect([await modeOf(folder), await modeOf(nameOf('a.mp4'))]).toEqual(['700', '600']);
});

test('another process, and the next start, take the file that is there', async () => {
  await bytesOf(await openCache({ 'a.mp4': film }).fileOf('a.mp4').body());
  const { fileOf, state } = openCache({ 'a.mp4': film });
  expect(await bytesOf(await fileOf('a.mp4').body())).toEqual(film);
  expect(state.reads).toBe(0);
});

test('all who ask for a file at once wait for one flight, and four files at most are fetched together', async () => {
  const contents = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.mp4`, randomBytes(300_000)]));
  const { fileOf, state } = openCache(contents);
  const paths = Object.keys(contents).flatMap((path) => [path, path, path]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.held = promise;
  const all = Promise.all(paths.map(async (path) => bytesOf(await fileOf(path).body())));
  await expect.poll(() => state.reading).toBe(4);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(state.reading).toBe(4);
  resolve();
  await all;
  expect(state.reads).toBe(24);
});

test.each([
  ['deleted', (path: string) => rm(path)],
  ['cut off', (path: string) => truncate(path, 1_000)],
  ['written over', (path: string) => writeFile(path, randomBytes(film.length))],
  ['emptied', (path: string) => writeFile(path, '')],
])('a kept file that was %s is fetched again, in this process and the next', async (_, damage) => {
  const first = openCache({ 'a.mp4': film });
  await bytesOf(await first.fileOf('a.mp4').body());
  await damage(first.nameOf('a.mp4'));
  expect(await bytesOf(await first.fileOf('a.mp4').body())).toEqual(film);
  await damage(first.nameOf('a.mp4'));
  const next = openCache({ 'a.mp4': film });
  expect(await bytesOf(await next.fileOf('a.mp4').body())).toEqual(film);
  expect([first.state.reads, next.state.reads]).toEqual([6, 3]);
});

test('a chunk that is missing or not what its name says is never sent, nor kept', async () => {
  const { fileOf, state } = openCache({ 'a.mp4': film });
  const [digest = '', bytes = new Uint8Array()] = [...state.chunks][1] ?? [];
  state.chunks.set(digest, Buffer.from(bytes).fill(0, 0, 1));
  await expect(fileOf('a.mp4').body()).rejects.toThrow('is damaged');
  state.chunks.delete(digest);
  await expect(fileOf('a.mp4').body()).rejects.toThrow('is missing');
  expect(await readdir(folder)).toEqual([]);
  state.chunks.set(digest, bytes);
  expect(await bytesOf(await fileOf('a.mp4').body())).toEqual(film);
});

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gz', gunzipSync],
] as const)(
  'the %s form is made once, kept beside the file, and known to HEAD from then on',
  async (coding, ending, unpack) => {
    const { fileOf, state, nameOf } = openCache({ 'a.js': script });
    expect(fileOf('a.js').sizeOfPacked(coding)).toBeUndefined();
    const [one, two] = await Promise.all([fileOf('a.js').openPacked(coding), fileOf('a.js').openPacked(coding)]);
    const packed = await bytesOf((await one?.body()) ?? null);
    expect(await bytesOf((await two?.body()) ?? null)).toEqual(packed);
    expect([String(unpack(packed)), fileOf('a.js').sizeOfPacked(coding)]).toEqual([script, packed.length]);
    expect([state.reads, (await readdir(folder)).length, await modeOf(`${nameOf('a.js')}.${ending}`)]).toEqual([
      4,
      2,
      '600',
    ]);
    const next = openCache({ 'a.js': script });
    expect((await (await next.fileOf('a.js').openPacked(coding))?.body()) ?? null).not.toBeNull();
    expect(next.state.reads).toBe(0);
  },
);

test.each([
  ['cut off', async (path: string) => truncate(path, 100)],
  ['another text', async (path: string) => writeFile(path, brotliCompressSync('alert(1)'))],
  ['a bomb', async (path: string) => writeFile(path, brotliCompressSync(Buffer.alloc(4 * 1024 * 1024)))],
])('a kept form that is %s is made again', async (_, damage) => {
  const first = openCache({ 'a.js': script });
  await (await first.fileOf('a.js').openPacked('br'))?.body();
  await damage(`${first.nameOf('a.js')}.br`);
  for (const { fileOf } of [first, openCache({ 'a.js': script })]) {
    const form = await fileOf('a.js').openPacked('br');
    expect(String(brotliDecompressSync(await bytesOf((await form?.body()) ?? null)))).toBe(script);
  }
});

test('a content that would not be smaller, a small and a very large one have no other form', async () => {
  const { fileOf, state } = openCache({ 'a.js': randomBytes(4_000), 'b.js': 'x', 'c.js': Buffer.alloc(9_000_000) });
  for (const path of ['a.js', 'a.js', 'b.js', 'c.js']) expect(await fileOf(path).openPacked('br')).toBeUndefined();
  expect(state.reads).toBe(1);
});

test('beyond its bytes the folder loses what was not used for longest, and what a killed process left', async () => {
  const contents = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.mp4`, randomBytes(10_000)]));
  const paths = Object.keys(contents);
  const { fileOf, state, nameOf } = openCache(contents, { mostBytes: 65_000 });
  const temporary = join(folder, `${'a'.repeat(64)}.x.tmp`);
  for (const [index, path] of paths.entries()) {
    await bytesOf(await fileOf(path).body());
    if (index === 0) {
      await writeFile(temporary, '');
      await utimes(temporary, 1, 1);
      await writeFile(join(folder, 'keys.json'), 'of somebody');
    }
    await bytesOf(await fileOf('0.mp4').body());
  }
  const kept = () => readdir(folder);
  await expect.poll(async () => (await kept()).length).toBeLessThan(8);
  const names = await kept();
  expect(names).toContain(nameOf('0.mp4').slice(-64)); // the oldest, but used each time
  expect(names).not.toContain(nameOf('1.mp4').slice(-64));
  expect(names).toContain('keys.json');
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  const reads = state.reads;
  expect(await bytesOf(await fileOf('1.mp4').body())).toEqual(contents['1.mp4']);
  expect(state.reads).toBe(reads + 1);
});

test('as long as the folder cannot be written, files come from their chunks (security rule 23)', async () => {
  const { fileOf, state, logged, nameOf } = openCache({ 'a.js': script });
  await writeFile(folder, 'a file is in its place');
  expect(String(await bytesOf(await fileOf('a.js').body()))).toBe(script);
  expect(String(await bytesOf(await fileOf('a.js').body({ start: 262_140, end: 786_440 })))).toBe(
    script.slice(262_140, 786_440),
  );
  expect(await fileOf('a.js').openPacked('br')).toBeUndefined();
  expect([state.reads, logged.length]).toEqual([4 + 4, 1]);
  await rm(folder);
  state.nowMs += 60_000;
  expect(String(await bytesOf(await fileOf('a.js').body()))).toBe(script);
  expect(await readFile(nameOf('a.js'), 'utf8')).toBe(script);
});

test('a cache without a folder of its own has a temporary one, which goes with it', async () => {
  const { files, chunks } = filesOf({ 'a.js': script });
  const all = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('gantry-files-'));
  const before = new Set(await all());
  const ports = { now: Date.now, log: silentLogger };
  const cache = createFileCache({ ...ports, chunks: { read: async (digest) => chunks.get(digest) } });
  await bytesOf(await cache.fileOf(files[0] as VersionFile).body());
  const name = (files[0] as VersionFile).digest;
  const made = (await all()).filter((one) => !before.has(one)).map((one) => join(tmpdir(), one));
  const temporary = made.find((one) => existsSync(join(one, name))) ?? '';
  expect([await modeOf(temporary), (await readdir(temporary)).length]).toEqual(['700', 1]);
  cache.close();
  await expect(readdir(temporary)).rejects.toThrow('ENOENT');
});
