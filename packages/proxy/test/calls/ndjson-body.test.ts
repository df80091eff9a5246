import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ndjsonBody } from '../../src/calls/ndjson-body.ts';

async function* of(...lines: readonly (string | Promise<string>)[]): AsyncGenerator<string> {
  for (const line of lines) yield await line;
}

test('lines that are all ready are one text', async () => {
  expect(await ndjsonBody(of('a\n', Promise.resolve('b\n'), 'c\n'))).toBe('a\nb\nc\n');
  expect(await ndjsonBody(of())).toBe('');
});

test('ready lines are sent before the others', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = (await ndjsonBody(of('a\n', 'b\n', promise, 'd\n'))) as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  expect(String(Buffer.from((await reader.read()).value ?? []))).toBe('a\nb\n');
  resolve('c\n');
  reader.releaseLock();
  expect(await text(body)).toBe('c\nd\n');
});

test('the body begins before any line is ready', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = (await ndjsonBody(of(promise))) as ReadableStream<Uint8Array>;
  resolve('late\n');
  expect(await text(body)).toBe('late\n');
});

test('many ready lines are sent before the rest', async () => {
  const long = 'x'.repeat(10_000);
  const body = (await ndjsonBody(of(...Array(50).fill(long)))) as ReadableStream<Uint8Array>;
  expect(body).toBeInstanceOf(ReadableStream);
  expect(await text(body)).toBe(long.repeat(50));
});

test('a client that disconnects ends the rest', async () => {
  let begun = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      begun++;
      await new Promise((resolve) => setImmediate(resolve));
      yield 'a\n';
    }
  }
  const lines = endless();
  const reader = ((await ndjsonBody(lines)) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  const before = begun;
  expect(await lines.next()).toEqual({ value: undefined, done: true });
  expect(begun).toBe(before);
});
