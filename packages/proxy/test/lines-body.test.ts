import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { linesBody } from '../src/lines-body.ts';

async function* of(...lines: readonly (string | Promise<string>)[]): AsyncGenerator<string> {
  for (const line of lines) yield await line;
}

test('lines that are all ready are one text', async () => {
  expect(await linesBody(of('a\n', Promise.resolve('b\n'), 'c\n'))).toBe('a\nb\nc\n');
  expect(await linesBody(of())).toBe('');
});

test('what is ready is sent before what is not', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = (await linesBody(of('a\n', 'b\n', promise, 'd\n'))) as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  expect(String(Buffer.from((await reader.read()).value ?? []))).toBe('a\nb\n');
  resolve('c\n');
  reader.releaseLock();
  expect(await text(body)).toBe('c\nd\n');
});

test('where nothing is ready, the body begins all the same', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = (await linesBody(of(promise))) as ReadableStream<Uint8Array>;
  resolve('late\n');
  expect(await text(body)).toBe('late\n');
});

test('much that is ready is not held back until all is', async () => {
  const long = 'x'.repeat(10_000);
  const body = (await linesBody(of(...Array(50).fill(long)))) as ReadableStream<Uint8Array>;
  expect(body).toBeInstanceOf(ReadableStream);
  expect(await text(body)).toBe(long.repeat(50));
});

test('a reader that goes away stops the rest', async () => {
  let begun = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      begun++;
      await new Promise((resolve) => setImmediate(resolve));
      yield 'a\n';
    }
  }
  const lines = endless();
  const reader = ((await linesBody(lines)) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  const before = begun;
  expect(await lines.next()).toEqual({ value: undefined, done: true });
  expect(begun).toBe(before);
});
