import { isTooFine, joinBytes, joinChunks, readBytes } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';

const mebibyte = 1024 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** A body in chunks of one size, which counts those that were asked for. */
function bodyIn(bytes: number, chunk: number) {
  const body = {
    asked: 0,
    async *[Symbol.asyncIterator]() {
      for (let sent = 0; sent < bytes; sent += chunk) {
        body.asked++;
        yield new Uint8Array(Math.min(chunk, bytes - sent)).fill(7);
      }
    },
  };
  return body;
}

test('a body is what its chunks are, one after the other', async () => {
  async function* body() {
    for (const text of ['', 'a', '', 'bc', 'def', '']) yield bytesOf(text);
  }
  expect(textOf(await readBytes(body(), 6))).toBe('abcdef');
  expect(await readBytes(body(), 5)).toBeUndefined();
  expect(textOf(await readBytes(null, 5))).toBe('');
});

test('chunks are joined as they arrive: one block is held, of at most twice the bytes (security rule 34)', () => {
  const joined = joinBytes(mebibyte);
  const chunks: Uint8Array[] = []; // control: what a list of chunks holds
  for (let count = 0; count < 10_000; count++) {
    const chunk = new Uint8Array(new ArrayBuffer(1_024), 0, 100); // a view of a larger buffer
    chunks.push(chunk);
    expect(joined.add(chunk)).toBe(true);
  }
  const held = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(joined.size).toBe(1_000_000);
  expect(held([joined.bytes()])).toBeLessThanOrEqual(2 * 1_000_000);
  expect(held(chunks)).toBe(10_240_000);
});

test('the first chunk is not copied, and a later one does not change it', () => {
  const [first, second] = [bytesOf('abcd').subarray(0, 2), bytesOf('xy')];
  const joined = joinBytes(10);
  joined.add(first);
  expect(joined.bytes().buffer).toBe(first.buffer);
  joined.add(second);
  expect([textOf(joined.bytes()), textOf(new Uint8Array(first.buffer, 0, 4))]).toEqual(['abxy', 'abcd']);
});

test('a body in many small chunks is left soon, in fewer or larger ones it is read (security rule 34)', async () => {
  const fine = bodyIn(mebibyte, 1);
  expect(await readBytes(fine, mebibyte)).toBeUndefined();
  expect(fine.asked).toBe(1_041);
  const trusted = bodyIn(mebibyte, 1); // control
  expect((await readBytes(trusted, mebibyte, { fine: true }))?.byteLength).toBe(mebibyte);
  expect(trusted.asked).toBe(mebibyte);
  expect((await readBytes(bodyIn(1_000, 1), mebibyte))?.byteLength).toBe(1_000);
  expect((await readBytes(bodyIn(mebibyte, 64), mebibyte))?.byteLength).toBe(mebibyte);
  expect(isTooFine({ chunks: 1_024, bytes: 0 })).toBe(false); // empty chunks count too
  expect(isTooFine({ chunks: 1_025, bytes: 0 })).toBe(true);
});

test('small chunks become blocks, and large ones pass', async () => {
  const sizes = async (body: AsyncIterable<Uint8Array>) => {
    const lengths: number[] = [];
    for await (const { byteLength } of joinChunks(body, 1_000)) lengths.push(byteLength);
    return lengths;
  };
  expect(await sizes(bodyIn(2_050, 100))).toEqual([1_000, 1_000, 50]);
  expect(await sizes(bodyIn(5_000, 2_500))).toEqual([2_500, 2_500]);
  expect(await sizes(bodyIn(0, 1))).toEqual([]);
  await expect(sizes(bodyIn(5_000, 1))).rejects.toThrow(RangeError);
});
