import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import {
  chunkBytes,
  chunkSizes,
  chunksOf,
  digestOf,
  maxFileBytes,
  maxFiles,
  maxPathLength,
  maxVersionBytes,
  toVersionFile,
  toVersionList,
  type VersionFile,
} from '../../src/versions/version-list.ts';
import { filesOf, least } from './versions.ts';

const { files } = filesOf(least);
const [manifest, page] = files as [VersionFile, VersionFile];

/** Returns a file of one size, of chunks that are named as they could be. */
function sized(path: string, size: number): VersionFile {
  const chunks = chunkSizes(size).map((bytes, index) => digestOf(`${bytes} ${index === 0 ? '' : 'more'}`));
  return toVersionFile({ path, size, chunks });
}

function many(count: number): VersionFile[] {
  return Array.from({ length: count }, (_, index) => toVersionFile({ ...page, path: `page-${index}.html` }));
}

describe('a list of files (issue Versions, build 1)', () => {
  test('has one digest for the same files in any order, and keeps what they are', () => {
    const list = toVersionList(files);
    expect(list).toEqual({
      digest: 'fe5f261d0ee4c5b2a56834391e3eacc16099ba1532d024e7cbfe6acfc834d58d',
      files: [manifest, page],
      bytes: 50,
    });
    expect(toVersionList(files.toReversed())).toEqual(list);
  });

  test('is named by the bytes of every file, and by its path', () => {
    const digest = (contents: Record<string, string>) => toVersionList(filesOf({ ...least, ...contents }).files).digest;
    const all = [
      digest({}),
      digest({ 'index.html': '<!doctype html> ' }),
      digest({ 'b.js': '' }),
      digest({ 'B.js': '' }),
    ];
    expect(new Set(all).size).toBe(4);
  });

  test('counts an empty file as one empty chunk, and the last chunk as what is left', () => {
    expect(chunkSizes(0)).toEqual([0]);
    expect(chunkSizes(chunkBytes)).toEqual([262_144]);
    expect(chunkSizes(2 * chunkBytes + 1)).toEqual([262_144, 262_144, 1]);
    const big = filesOf({ ...least, 'a.js': Buffer.alloc(chunkBytes + 7), 'b.js': '' });
    const sizes = chunksOf(toVersionList(big.files));
    expect([...sizes].every(([digest, size]) => big.chunks.get(digest)?.length === size)).toBe(true);
    expect(sizes.size).toBe(5);
  });

  test.each<[string, unknown, string]>([
    ['no list', { 0: manifest }, 'A version is a list of files.'],
    ['what is no file', [manifest, null], 'File 2 of the list has no path.'],
    ['a file without a path', [manifest, { ...page, path: 7 }], 'File 2 of the list has no path.'],
    ['no manifest', [page], 'A version has a gadget.json of at most 262144 bytes.'],
    [
      'a manifest of two chunks',
      [sized('gadget.json', chunkBytes + 1)],
      'A version has a gadget.json of at most 262144 bytes.',
    ],
    ['a path twice', [manifest, page, page], '"index.html" is in the list twice.'],
    [
      'half a character',
      [manifest, { ...page, path: 'a\ud800.html' }],
      '"a\\ud800.html" has half a character in its name.',
    ],
    [
      'a name in NFD',
      [manifest, { ...page, path: 'u\u0308.html' }],
      '"u\u0308.html" has a name that is not in NFC (composed characters).',
    ],
    ['a size that is none', [manifest, { ...page, size: 1.5 }], '"index.html" has no size in bytes.'],
    ['a negative size', [manifest, { ...page, size: -1 }], '"index.html" has no size in bytes.'],
    ['a size as text', [manifest, { ...page, size: '15' }], '"index.html" has no size in bytes.'],
    [
      'too few chunks',
      [manifest, { ...page, chunks: [] }],
      '"index.html" needs the digests of 1 chunks, SHA-256 in hexadecimal digits.',
    ],
    [
      'a list of chunks that is none',
      [manifest, { ...page, chunks: { length: 1 } }],
      '"index.html" needs the digests of 1 chunks, SHA-256 in hexadecimal digits.',
    ],
    [
      'a digest in capitals',
      [manifest, { ...page, chunks: [page.digest.toUpperCase()] }],
      '"index.html" needs the digests of 1 chunks, SHA-256 in hexadecimal digits.',
    ],
    [
      'a type of its own',
      [manifest, { ...page, type: 'text/plain' }],
      '"index.html" has the type text/html; charset=utf-8 here.',
    ],
    [
      'a digest that is not that of its chunks',
      [manifest, { ...page, digest: manifest.digest }],
      '"index.html" has a digest that is not that of its chunks.',
    ],
    [
      'one chunk with two sizes',
      [manifest, page, { ...page, path: 'b.html', size: 3 }],
      '"b.html" has a chunk that has another size elsewhere.',
    ],
  ])('refuses %s (rule 18)', (_, list, message) => {
    expect(() => toVersionList(list)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
  });

  test.each([
    ...['../index.html', 'a/../index.html', './index.html', '/index.html', 'a//b.html', 'a/', '', '.htaccess.html'],
    ...['a\\b.html', 'C:a.html', 'a\0.html', 'a\nb.html', 'key.pem', 'app.ts', 'README.md', 'node_modules/a/b.js'],
    ...['package.json', 'app.gadget.js', 'test/a.js', '.git/a.html', 'a.stories.js', 'vite.config.js', 'index'],
  ])('has the paths that Gantry serves, which %j is not (security rules 18 and 31)', (path) => {
    expect(() => toVersionList([manifest, page, toVersionFile({ ...page, path })])).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: `${JSON.stringify(path)} is no file that Gantry serves.`,
      }),
    );
  });

  test('has names of every script, and case twins', () => {
    const names = [
      'Größe.html',
      '日本語.html',
      'קובץ.html',
      'फ़ाइल.html'.normalize('NFC'),
      'a b+c&d=e%.html',
      'A.html',
      'a.html',
    ];
    const all = names.map((path) => toVersionFile({ ...page, path }));
    expect(toVersionList([manifest, page, ...all]).files.map(({ path }) => path)).toEqual(
      [...names, 'gadget.json', 'index.html'].sort(),
    );
  });

  test('sorts by UTF-16 code units on every machine', () => {
    const list = toVersionList([
      manifest,
      ...['\u{1f600}.html', '\uff21.html', 'b.html', 'B.html', 'ä.html'].map((path) => ({ ...page, path })),
    ]);
    expect(list.files.map(({ path }) => path)).toEqual([
      'B.html',
      'b.html',
      'gadget.json',
      'ä.html',
      '\u{1f600}.html',
      '\uff21.html',
    ]);
  });

  test('says in short what a long path is', () => {
    const path = `${'a'.repeat(1_000_000)}.html`;
    expect(() => toVersionList([manifest, { ...page, path }])).toThrow(
      `"${'a'.repeat(100)}…" has a path of more than 512 characters.`,
    );
  });

  test.each<[string, () => unknown, string]>([
    ['2,000 files', () => [manifest, ...many(maxFiles)], 'A version has at most 2000 files.'],
    ['25 MiB a file', () => [manifest, sized('a.mp4', maxFileBytes + 1)], '"a.mp4" has more than 26214400 bytes.'],
    [
      '50 MiB a version',
      () => [manifest, sized('a.mp4', maxFileBytes), sized('b.mp4', maxFileBytes)],
      'A version has at most 52428800 bytes.',
    ],
  ])('refuses more than %s (docs/limits.md)', (_, list, message) => {
    expect(() => toVersionList(list())).toThrow(expect.objectContaining({ code: 'TOO_LARGE', message }));
  });

  test('takes what is as large as the bounds', () => {
    expect(toVersionList([manifest, ...many(maxFiles - 1)]).files).toHaveLength(2_000);
    expect(toVersionList([manifest, sized('a.mp4', maxFileBytes)]).bytes).toBe(26_214_400 + manifest.size);
    const rest = maxVersionBytes - maxFileBytes - manifest.size;
    expect(toVersionList([manifest, sized('a.mp4', maxFileBytes), sized('b.mp4', rest)]).bytes).toBe(52_428_800);
    const longest = `${'a'.repeat(maxPathLength - 5)}.html`;
    expect(toVersionList([manifest, { ...page, path: longest }]).files).toHaveLength(2);
  });

  test('refuses 100,000 entries before it looks at one (rule 25)', () => {
    const trap = new Proxy({}, { get: () => expect.unreachable('an entry was looked at') });
    expect(() => toVersionList(new Array(100_000).fill(trap))).toThrow('A version has at most 2000 files.');
  });

  test('checks with work that grows as the list does, a quadratic check does not (rule 25, cost)', async () => {
    const work = (size: number) => {
      const list = [manifest, ...many(size)];
      return () => toVersionList(list);
    };
    expect(await growth(200, work)).toBeLessThan(mostGrowth);
    const quadratic = (size: number) => {
      const list = many(size);
      return () => list.filter(({ path }, index) => list.findIndex((other) => other.path === path) === index);
    };
    expect(await growth(200, quadratic)).toBeGreaterThan(mostGrowth);
  });

  test('throws nothing but a SocialError for any JSON, and what it takes has its digest (fuzzed)', () => {
    const digest = fc.oneof(fc.constantFrom(page.digest, manifest.digest), fc.string());
    const file = fc.record(
      {
        path: fc.oneof(fc.constantFrom('index.html', 'gadget.json', 'a/b.js'), fc.string({ unit: 'binary' })),
        digest,
        type: fc.oneof(fc.constantFrom(page.type, manifest.type), fc.anything()),
        size: fc.oneof(fc.constantFrom(0, page.size, manifest.size), fc.double(), fc.integer()),
        chunks: fc.oneof(fc.array(digest, { maxLength: 3 }), fc.anything()),
      },
      { requiredKeys: [] },
    );
    const list = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(manifest, page) }, file, fc.anything()), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.oneof(list, fc.anything()), (given) => {
        let taken: ReturnType<typeof toVersionList>;
        try {
          taken = toVersionList(given);
        } catch (error) {
          expect(error).toMatchObject({ name: 'SocialError', code: expect.stringMatching(/BAD_REQUEST|TOO_LARGE/) });
          return;
        }
        const named = taken.files.map(({ path, digest: of, type, size }) => [path, of, type, size]);
        expect(taken.digest).toBe(digestOf(JSON.stringify(named)));
        expect(taken.files.every((one) => one.digest === toVersionFile(one).digest)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
