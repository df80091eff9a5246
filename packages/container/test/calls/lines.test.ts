import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '../../src/calls/lines.ts';

function streamOf(chunks: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function collect(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(streamOf(chunks))) lines.push(line);
  return lines;
}

test('lines are whole wherever the network cuts, within a character too', async () => {
  const values = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(values, fc.array(fc.nat(200)), async (items, cuts) => {
      const bytes = new TextEncoder().encode(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
      expect((await collect(chunks)).map((line) => JSON.parse(line))).toEqual(items);
    }),
  );
});

test('a line is yielded while the next one is still on its way', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes('1\n2')),
  });
  expect(await linesOf(body).next()).toEqual({ done: false, value: '1' });
});

test('a last line without its line feed counts, empty lines do not', async () => {
  expect(await collect([new TextEncoder().encode('1\n\n2')])).toEqual(['1', '2']);
});
