import { SocialError } from '@gantry/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTexts } from '../../src/messages/texts.ts';
import { readParts } from '../../src/uploads/read-parts.ts';

const texts = createTexts('en');
const type = 'multipart/form-data; boundary=b';

/** Body of parts, each with its headers; counts what is read of it. */
function bodyOf(whole: Uint8Array, chunkBytes = 65_536) {
  const state = { readBytes: 0, chunks: chunks() };
  async function* chunks() {
    for (let at = 0; at < whole.length; at += chunkBytes) {
      const chunk = whole.subarray(at, at + chunkBytes);
      state.readBytes += chunk.length;
      yield chunk;
    }
  }
  return state;
}

function encode(parts: readonly string[], end = '--b--\r\n'): Uint8Array {
  return Buffer.from(parts.map((part) => `--b\r\n${part}\r\n`).join('') + end, 'latin1');
}

const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const file = (name: string, content: string) =>
  `Content-Disposition: form-data; name="photos"; filename="${name}"\r\n\r\n${content}`;

async function readAll(body: AsyncIterable<Uint8Array>, { maxBytes = 1e8, from = type, isRead = true } = {}) {
  const parts: [string, string][] = [];
  for await (const part of readParts(body, { type: from, maxBytes, texts })) {
    if ('value' in part) parts.push([part.name, part.value]);
    else parts.push([part.fileName, isRead ? await textOf(part.content) : '']);
  }
  return parts;
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

describe('parts of a form (security rules 25 and 34)', () => {
  test('353,000 files of a byte are refused at the 101st, in the first chunk', async () => {
    const whole = encode(Array.from({ length: 353_000 }, (_, index) => file(`picture ${index % 10}`, 'x')));
    expect(whole.length).toBeGreaterThan(27e6);
    const body = bodyOf(whole);
    await expect(readAll(body.chunks)).rejects.toThrow('at most 100');
    expect(body.readBytes).toBeLessThanOrEqual(2 * 65_536);
  });

  test('100 parts are read: what the runtime reads of the same bytes (the control) has 101 and more, too', async () => {
    const many = (count: number) => encode(Array.from({ length: count }, () => file('a', 'x')));
    expect(await readAll(bodyOf(many(100)).chunks)).toHaveLength(100);
    await expect(readAll(bodyOf(many(101)).chunks)).rejects.toThrow('at most 100');
    const form = await new Response(Buffer.from(many(5_000)), { headers: { 'content-type': type } }).formData();
    expect(form.getAll('photos')).toHaveLength(5_000);
  });

  test('while a file is not read, its sender waits', async () => {
    const body = bodyOf(encode([field('form_token', 't'), file('a', 'x'.repeat(20e6))]));
    const parts = readParts(body.chunks, { type, maxBytes: 1e8, texts });
    expect((await parts.next()).value).toEqual({ name: 'form_token', value: 't' });
    await parts.next();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(body.readBytes).toBeLessThan(1e6);
    await parts.return();
  });

  test('headers without an end, and a field without an end, are not kept', async () => {
    const headers = bodyOf(encode([`X: ${'x'.repeat(20e6)}`, field('a', '1')]));
    expect(await readAll(headers.chunks)).toEqual([['a', '1']]);
    const [[, value]] = (await readAll(bodyOf(encode([field('a', 'x'.repeat(20e6))])).chunks)) as [[string, string]];
    expect(value).toHaveLength(4_096);
  });

  test.each([
    ['nothing', ''],
    ['no boundary', 'x'.repeat(100)],
    ['a part without an end', Buffer.from(encode([file('a', 'x')], '')).toString('latin1')],
    ['a header without an end', '--b\r\nContent-Disp'],
  ])('%s is incomplete', async (_, text) => {
    await expect(readAll(bodyOf(Buffer.from(text)).chunks)).rejects.toThrow(/not arrive as a whole|terminated early/);
  });

  test('a form of another boundary, or without one, is incomplete', async () => {
    for (const from of ['multipart/form-data; boundary=c', 'multipart/form-data;', 'multipart/form-data; boundary=']) {
      await expect(readAll(bodyOf(encode([field('a', '1')])).chunks, { from })).rejects.toThrow(
        'not arrive as a whole',
      );
    }
  });

  test('more bytes than the bound are refused, in any part, read or skipped; an error of the body stays', async () => {
    for (const isRead of [true, false]) {
      const body = bodyOf(encode([file('a', 'x'.repeat(3e6))]));
      await expect(readAll(body.chunks, { maxBytes: 1e6, isRead })).rejects.toThrow('together have at most');
    }
    async function* slow() {
      yield encode([file('a', 'x')], '').subarray(0, 80);
      throw new SocialError('REQUEST_TIMEOUT', 'too slow');
    }
    await expect(readAll(slow())).rejects.toThrow('too slow');
  });

  test('any form, cut anywhere, is read as it was sent', async () => {
    const text = fc.string({ unit: fc.constantFrom('-', 'b', '\r', '\n', 'x', '\0', '\xff'), maxLength: 80 });
    const part = fc.record({ isFile: fc.boolean(), text });
    const runs = fc.asyncProperty(
      fc.array(part, { maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      async (sent, cut) => {
        const clean = sent.map(({ isFile, text: raw }) => ({ isFile, text: raw.replaceAll('\r\n--b', '') }));
        fc.pre(clean.every(({ text: content }) => !`\r\n${content}`.includes('\r\n--b')));
        const whole = encode(clean.map((one) => (one.isFile ? file('f', one.text) : field('v', one.text))));
        const read = await readAll(bodyOf(whole, cut).chunks);
        const utf8 = (raw: string) => Buffer.from(raw, 'latin1').toString('utf8');
        expect(read).toEqual(clean.map((one) => (one.isFile ? ['f', one.text] : ['v', utf8(one.text)])));
      },
    );
    await fc.assert(runs, { numRuns: 300 });
  });
});
