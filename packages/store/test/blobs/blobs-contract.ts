import { createHash } from 'node:crypto';
import type { Blobs } from '@gantry/store';
import { beforeEach, describe, expect, test } from 'vitest';

/** Tests the contract of every place of blobs. Each `open` is of an empty one. */
export function describeBlobs(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs in ${name} (ADR 95)`, () => {
    let blobs: Blobs;
    beforeEach(async () => {
      blobs = await open();
    });
    const read = async (blob: string) => (await blobs.open(blob))?.read();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

    test('bytes are read as they were put, as a whole or in part', async () => {
      await blobs.put('a.3-180', bytes);
      expect((await read('a.3-180'))?.equals(bytes)).toBe(true);
      expect(await blobs.sizeOf('a.3-180')).toBe(bytes.length);
      const part = await (await blobs.open('a.3-180'))?.body({ start: 70_000, end: 70_010 });
      expect(part).toEqual(bytes.subarray(70_000, 70_010));
      const stream = (await (await blobs.open('a.3-180'))?.body()) as ReadableStream<Uint8Array>;
      expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(bytes)).toBe(true);
    });

    test('a name that has none is absent to each method', async () => {
      expect(await blobs.open('none')).toBeUndefined();
      expect([await blobs.sizeOf('none'), await blobs.factsOf('none')]).toEqual([undefined, undefined]);
      expect(await blobs.move('none', '.removed/none')).toBe(false);
      expect(await blobs.list('.removed')).toEqual([]);
      await blobs.remove('none');
    });

    test('facts are the size and the SHA-256 of name and bytes', async () => {
      await blobs.put('facts', bytes);
      const digest = createHash('sha256').update('facts\n').update(bytes).digest('hex');
      expect(await blobs.factsOf('facts')).toEqual({ size: bytes.length, digest });
    });

    test('putting again is idempotent, also at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => blobs.put('same', bytes)));
      await blobs.put('same', bytes);
      expect((await read('same'))?.equals(bytes)).toBe(true);
    });

    test('an empty blob is there', async () => {
      await blobs.put('empty', new Uint8Array());
      expect(await blobs.sizeOf('empty')).toBe(0);
      expect(await read('empty')).toEqual(Buffer.alloc(0));
    });

    test('a blob that is moved aside is absent, listed there, and right again after it came back', async () => {
      await blobs.put('a', bytes);
      expect(await blobs.move('a', '.removed/a~1~x')).toBe(true);
      expect(await blobs.open('a')).toBeUndefined();
      expect(await blobs.list('.removed')).toEqual(['a~1~x']);
      expect(await blobs.move('.removed/a~1~x', 'a')).toBe(true);
      expect((await read('a'))?.equals(bytes)).toBe(true);
      expect(await blobs.list('.removed')).toEqual([]);
      await blobs.remove('a');
      expect(await blobs.sizeOf('a')).toBeUndefined();
    });

    test('one that is larger than its reader expects is refused; one of that size is not (the control)', async () => {
      await blobs.put('large', bytes);
      const refused = blobs.open('large', { mostBytes: bytes.length - 1 });
      await expect(refused).rejects.toMatchObject({ reason: 'unavailable' });
      await (await blobs.open('large', { mostBytes: bytes.length }))?.close();
    });
  });
}
