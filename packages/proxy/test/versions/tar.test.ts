import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packVersion, readTar } from '@gantry/proxy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { maxTarBytes, maxTarEntries } from '../../src/versions/tar-entries.ts';
import { chunkBytes, chunksOf, maxFileBytes, maxFiles, maxVersionBytes } from '../../src/versions/version-list.ts';
import { type Contents, filesOf, gadgetJson, least, sourceOf } from './versions.ts';

const root = folderForFile();

const contents: Contents = {
  ...least,
  'js/app.js': 'let a;',
  'empty.js': '',
  'big.wasm': Buffer.alloc(2 * chunkBytes + 5, 3),
  'Größe 日本語.html': 'x',
  [`${'long/'.repeat(60)}page.html`]: 'deep',
  [`${'ü'.repeat(120)}.html`]: 'long name',
};

/** Returns a function that opens the bytes of a file, in pieces of a length. */
function opening(bytes: Uint8Array, length = 65_536): () => AsyncIterable<Uint8Array> {
  return async function* open() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  };
}

function pack(given: Contents): Promise<Buffer> {
  const { chunks } = filesOf(given);
  return buffer(packVersion(sourceOf(given).list, async (digest) => chunks.get(digest)));
}

/** Makes a header, its sum of bytes included. */
function header(over: { name?: string; size?: string; type?: string; link?: string; magic?: string } = {}): Buffer {
  const { name = 'a.html', size = '00000000000', type = '0', link = '', magic = 'ustar\x0000' } = over;
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write(size, 124, 'latin1');
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156, 'latin1');
  block.write(link, 157);
  block.write(magic, 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
const end = Buffer.alloc(1024);
const read = (...parts: readonly Buffer[]) => readTar(opening(Buffer.concat([...parts, end])));
const octal = (size: number) => size.toString(8).padStart(11, '0');

describe('a packed version (issue Versions, build 6)', () => {
  test('is the same list with the same bytes when it is read, in pieces of any length', async () => {
    const packed = await pack(contents);
    expect(await pack(contents)).toEqual(packed);
    for (const length of [1_000_000, 65_536, 511, 7]) {
      const source = await readTar(opening(packed, length));
      expect(source.list).toEqual(sourceOf(contents).list);
      const all = new Map<string, Uint8Array>();
      for await (const [digest, bytes] of source.read(chunksOf(source.list).keys()))
        all.set(digest, Buffer.from(bytes));
      expect(all).toEqual(filesOf(contents).chunks);
    }
  });

  test('is a plain file for tar, and tar makes one in each of its formats', async () => {
    const folder = await mkdtemp(join(root, 'plain-'));
    await writeFile(join(folder, 'app.tar'), await pack(contents));
    await mkdir(join(folder, 'out'));
    execFileSync('tar', ['-xf', '../app.tar'], { cwd: join(folder, 'out') });
    for (const format of ['gnu', 'ustar', 'posix']) {
      const short = format === 'ustar' ? ['--exclude=ü*', '--exclude=long'] : [];
      execFileSync('tar', [`--format=${format}`, ...short, '-cf', '../again.tar', '.'], { cwd: join(folder, 'out') });
      const packed = execFileSync('cat', [join(folder, 'again.tar')], { maxBuffer: 10_000_000 });
      const kept = Object.entries(contents).filter(([path]) => short.length === 0 || path.length < 50);
      expect((await readTar(opening(packed))).list).toEqual(sourceOf(Object.fromEntries(kept)).list);
    }
    expect(await readdir(join(folder, 'out'))).toHaveLength(8);
  });

  test('says so if it changed between list and bytes', async () => {
    const [one, two] = [await pack({ ...least, 'a.js': 'a' }), await pack({ ...least, 'a.js': 'b' })];
    let opened = 0;
    const source = await readTar(() => opening(opened++ === 0 ? one : two)());
    const reading = async () => {
      for await (const _ of source.read(chunksOf(source.list).keys()));
    };
    await expect(reading()).rejects.toThrow('a.js changed while it was read.');
  });

  test('fails to be packed without one of its chunks', async () => {
    await expect(buffer(packVersion(sourceOf(least).list, async () => undefined))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a hostile tar file (rules 18, 25 and 33)', () => {
  test.each<[string, Buffer, string]>([
    ['a symbolic link', header({ type: '2', link: '/etc/passwd' }), '"a.html" is neither a file nor a folder'],
    ['a hard link', header({ type: '1', link: 'gadget.json' }), '"a.html" is neither a file nor a folder'],
    ['a device', header({ type: '3' }), '"a.html" is neither a file nor a folder'],
    ['a pipe', header({ type: '6' }), '"a.html" is neither a file nor a folder'],
    ['a sparse file', header({ type: 'S', magic: 'ustar  \0' }), '"a.html" is neither a file nor a folder'],
    ['an unknown type', header({ type: 'Z' }), '"a.html" is neither a file nor a folder'],
    ['a path that leads out', header({ name: '../index.html' }), '"../index.html" is no file that Gantry serves.'],
    ['an absolute path', header({ name: '/index.html' }), '"/index.html" is no file that Gantry serves.'],
    ['a file that is not served', header({ name: '.env' }), '".env" is no file that Gantry serves.'],
    ['a size of 8 GiB', header({ size: octal(8 * 1024 ** 3 - 1) }), '"a.html" has more than 26214400 bytes.'],
    [
      'a size in base 256',
      header({ size: '\x80\0\0\0\0\0\0\0\0\0\0\x01' }),
      '"a.html" has a size that is no plain number.',
    ],
    ['a negative size', header({ size: '\xff'.repeat(12) }), '"a.html" has a size that is no plain number.'],
    ['a size that is none', header({ size: '-0000000001' }), '"a.html" has a size that is no plain number.'],
    ['endless attributes', header({ type: 'x', size: octal(9_000) }), '"a.html" has attributes that are too long.'],
    ['an endless name', header({ type: 'L', size: octal(1024 ** 3) }), '"a.html" has attributes that are too long.'],
    ['no tar at all', Buffer.from('PK\x03\x04'.padEnd(2_048, 'x')), '"PK'],
    ['a damaged header', Buffer.concat([header().fill('b', 0, 1)]), 'This is no whole tar file.'],
  ])('with %s is refused', async (_, odd, message) => {
    await expect(read(odd)).rejects.toThrow(message);
  });

  test.each([
    ['another size', 'size=26214401'],
    ['a sparse map', 'GNU.sparse.major=1'],
  ])('with %s in its attributes is refused', async (_, attribute) => {
    const length = attribute.length + 4;
    const record = Buffer.alloc(512);
    record.write(`${length} ${attribute}\n`);
    const odd = [header({ type: 'x', size: octal(length) }), record, header({ size: octal(1) }), Buffer.alloc(512)];
    await expect(read(...odd)).rejects.toThrow('"a.html" has attributes of its own: its size or holes.');
  });

  test('that is cut off anywhere is refused', async () => {
    const packed = await pack({ ...least, 'a.js': 'x'.repeat(700) });
    for (let length = 0; length < packed.length - 1; length += 97) {
      await expect(readTar(opening(packed.subarray(0, length)))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('with one file twice is refused', async () => {
    await expect(read(header(), header())).rejects.toThrow('"a.html" is in the list twice.');
  });

  test('has the bounds of a list, and some more (docs/limits.md)', async () => {
    const files = Array.from({ length: maxFiles + 1 }, (_, index) => header({ name: `p${index}.html` }));
    await expect(read(...files)).rejects.toThrow('A version has at most 2000 files.');
    const folders = new Array(maxTarEntries + 1).fill(header({ name: 'a/', type: '5' }));
    await expect(read(...folders)).rejects.toThrow('A tar file has at most 8000 entries.');
    const big = Buffer.alloc(maxFileBytes);
    const three = ['a', 'b', 'c'].flatMap((name) => [header({ name: `${name}.mp4`, size: octal(big.length) }), big]);
    await expect(read(...three)).rejects.toThrow('A version has at most 52428800 bytes.');
    const endless = async function* endless() {
      for (;;) yield Buffer.alloc(chunkBytes);
    };
    await expect(readTar(endless)).rejects.toThrow(`A tar file has at most ${maxTarBytes} bytes here.`);
    expect(maxTarBytes).toBeGreaterThan(maxVersionBytes);
  });

  test('is read or refused with a SocialError, whatever its bytes (fuzzed)', async () => {
    const packed = await pack({ 'gadget.json': gadgetJson, 'index.html': 'x'.repeat(600) });
    const damage = fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: 2_000 }), async (changes, length) => {
        const bytes = Buffer.from(packed);
        for (const [at, byte] of changes) bytes[at] = byte;
        await readTar(opening(bytes, length)).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'SocialError', code: expect.stringMatching(/BAD_REQUEST|TOO_LARGE/) });
        });
      }),
      { numRuns: 500 },
    );
  });

  test('of the system with a link in it is refused', async () => {
    const folder = await mkdtemp(join(root, 'linked-'));
    for (const [path, content] of Object.entries(least)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    await symlink('/etc/passwd', join(folder, 'passwd.html'));
    const packed = execFileSync('tar', ['-cf', '-', '.'], { cwd: folder });
    await expect(readTar(opening(packed))).rejects.toThrow('"./passwd.html" is neither a file nor a folder');
  });
});
