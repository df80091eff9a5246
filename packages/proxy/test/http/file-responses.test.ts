import { randomBytes } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { FileChanged, openFile } from '@gantry/store';
import type { HttpResponse } from '@gantry/wire';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { createFileResponses, type SentFile } from '../../src/http/file-responses.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const script = 'const text = `of a script`;\n'.repeat(10_000); // 270 kB
const respond = createFileResponses();

interface Counted extends SentFile {
  readonly counts: { read: number; closed: number };
}

/** A file with a content, as if it had been there for long. */
async function fileOf(content: string | Uint8Array, contentType = 'text/javascript', name = 'a'): Promise<Counted> {
  await writeFile(join(folder, name), content);
  await utimes(join(folder, name), 1, 1);
  const file = (await openFile(join(folder, name))) ?? expect.fail('it is there');
  const counts = { read: 0, closed: 0 };
  return {
    ...file,
    ...{ contentType, version: `${name} ${file.version}`, isSettled: true, counts },
    chunks() {
      counts.read++;
      return file.chunks();
    },
    close() {
      counts.closed++;
      return file.close();
    },
  };
}

const ask = (headers: Record<string, string> = {}, method = 'GET') => ({ method, headers: new Headers(headers) });
const bytesOf = async ({ body }: HttpResponse) => Buffer.from(await new Response(body as ReadableStream).arrayBuffer());

test('a part of a file comes with its place and its length', async () => {
  const film = randomBytes(200_000);
  const part = await respond(ask({ Range: 'bytes=100-149999' }), await fileOf(film, 'video/mp4'), {});
  expect([part.status, part.headers]).toEqual([
    206,
    {
      'Accept-Ranges': 'bytes',
      'Content-Length': '149900',
      'Content-Range': 'bytes 100-149999/200000',
      'Content-Type': 'video/mp4',
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
    },
  ]);
  expect(await bytesOf(part)).toEqual(film.subarray(100, 150_000));
  const end = await respond(ask({ Range: 'bytes=-3' }), await fileOf(film, 'video/mp4'), {});
  expect([await bytesOf(end), end.headers['Content-Length']]).toEqual([film.subarray(-3), '3']);
});

test('a part beyond a file is 416 with the size, is not kept, and leaves no file open', async () => {
  const file = await fileOf('12345', 'video/mp4');
  const response = await respond(ask({ Range: 'bytes=5-' }), file, { 'Cache-Control': 'immutable' });
  expect([response.status, response.body, file.counts.closed]).toEqual([416, null, 1]);
  expect(response.headers).toMatchObject({ 'Content-Range': 'bytes */5', 'Cache-Control': 'no-cache' });
});

test('a text is compressed as its client likes, each form under a strong validator of its own', async () => {
  const forms = await Promise.all(
    ['br', 'gzip', ''].map((coding) =>
      fileOf(script).then((file) => respond(ask({ 'Accept-Encoding': coding }), file, {})),
    ),
  );
  const [br, zipped, plain] = await Promise.all(forms.map(bytesOf));
  expect(String(brotliDecompressSync(br ?? ''))).toBe(script);
  expect(String(gunzipSync(zipped ?? ''))).toBe(script);
  expect(String(plain)).toBe(script);
  expect(forms.map(({ headers }) => headers['Content-Encoding'])).toEqual(['br', 'gzip', undefined]);
  expect(forms.map(({ headers }) => headers['Accept-Ranges'])).toEqual([undefined, undefined, 'bytes']);
  expect(forms.map(({ headers }) => Number(headers['Content-Length']))).toEqual(
    [br, zipped, plain].map((it) => it?.length),
  );
  expect(new Set(forms.map(({ headers }) => headers.ETag)).size).toBe(3);
  expect(new Set(forms.map(({ headers }) => headers.Vary))).toEqual(new Set(['Accept-Encoding']));
});

test('ranges are of the plain form, also for a client that takes compressed ones', async () => {
  const both = { Range: 'bytes=0-9', 'Accept-Encoding': 'br' };
  const whole = await respond(ask({ 'Accept-Encoding': 'br' }), await fileOf(script), {});
  const part = await respond(ask(both), await fileOf(script), {});
  expect([part.status, part.headers['Content-Encoding'], String(await bytesOf(part))]).toEqual([
    206,
    undefined,
    'const text',
  ]);
  const ofCoded = await respond(ask({ ...both, 'If-Range': whole.headers.ETag ?? '' }), await fileOf(script), {});
  expect([ofCoded.status, ofCoded.headers['Content-Encoding']]).toEqual([200, 'br']);
  const ofPlain = await respond(ask({ ...both, 'If-Range': part.headers.ETag ?? '' }), await fileOf(script), {});
  expect(ofPlain.status).toBe(206);
  await bytesOf(ofPlain);
});

test('a client that has a form gets 304, and nothing is compressed for it', async () => {
  const fresh = createFileResponses();
  const tag = (await respond(ask({ 'Accept-Encoding': 'br' }), await fileOf(script), {})).headers.ETag ?? '';
  const file = await fileOf(script);
  const reply = await fresh(ask({ 'Accept-Encoding': 'gzip, br', 'If-None-Match': `"x", W/${tag}` }), file, {});
  expect([reply.status, reply.body, reply.headers.ETag, file.counts]).toEqual([304, null, tag, { read: 1, closed: 1 }]);
  const refused = await fresh(ask({ 'Accept-Encoding': 'br;q=0', 'If-None-Match': tag }), await fileOf(script), {});
  expect(refused.status).toBe(200);
  await bytesOf(refused);
});

test('one content has one validator, wherever and whenever it was written', async () => {
  const tagOf = async (content: string, name: string) => {
    const response = await createFileResponses()(ask(), await fileOf(content, 'image/png', name), {});
    await bytesOf(response);
    return response.headers.ETag;
  };
  expect(await tagOf('same', 'b')).toBe(await tagOf('same', 'c'));
  expect(await tagOf('other', 'b')).not.toBe(await tagOf('same', 'c'));
});

test.each([
  ['text/html; charset=utf-8', 200],
  ['image/svg+xml', 200],
  ['text/css; charset=utf-8', 304],
])('after its headers changed, %s that the client has is answered %i', async (contentType, status) => {
  const before = await respond(ask(), await fileOf('x', contentType), { 'Content-Security-Policy': 'wide' });
  await bytesOf(before);
  const has = ask({ 'If-None-Match': before.headers.ETag ?? '' });
  const same = await respond(has, await fileOf('x', contentType), { 'Content-Security-Policy': 'wide' });
  const after = await respond(has, await fileOf('x', contentType), { 'Content-Security-Policy': 'narrow' });
  await bytesOf(after);
  expect([same.status, after.status, after.headers['Content-Security-Policy']]).toEqual([304, status, 'narrow']);
});

test('HEAD reads nothing and says what is known: first the plain form, then that of GET', async () => {
  const fresh = createFileResponses();
  const first = await fileOf(script);
  const unknown = await fresh(ask({ 'Accept-Encoding': 'br', Range: 'bytes=0-1' }, 'HEAD'), first, {});
  expect([unknown.status, unknown.body, unknown.headers['Content-Length'], unknown.headers.ETag]).toEqual([
    200,
    null,
    String(script.length),
    undefined,
  ]);
  expect(first.counts).toEqual({ read: 0, closed: 1 });
  const same = { ...(await fileOf(script)), version: first.version };
  const whole = await fresh(ask({ 'Accept-Encoding': 'br' }), same, {});
  const other = await fresh(ask({ 'Accept-Encoding': 'gzip' }, 'HEAD'), first, {});
  expect([other.headers.ETag, other.headers['Content-Encoding'], first.counts.read]).toEqual([
    whole.headers.ETag?.replace('-br', ''),
    undefined,
    0,
  ]);
  const head = await fresh(ask({ 'Accept-Encoding': 'br' }, 'HEAD'), first, {});
  expect([head.headers, head.body]).toEqual([whole.headers, null]);
});

test('a file is hashed once while it stays as it is, and one that has just changed each time', async () => {
  const fresh = createFileResponses();
  const file = await fileOf('x', 'video/mp4');
  const again = () => fresh(ask({ Range: 'bytes=9-' }), file, {});
  await Promise.all([again(), again()]);
  await again();
  expect(file.counts.read).toBe(1);
  for (const count of [1, 2]) {
    const young = await fileOf('x', 'video/mp4');
    await fresh(ask({ Range: 'bytes=9-' }), { ...young, version: 'young', isSettled: false }, {});
    expect([count, young.counts.read]).toEqual([count, 1]);
  }
});

test('a file that changes while it is sent ends before its length, at the same size too', async () => {
  const response = await respond(ask(), await fileOf(randomBytes(200_000), 'video/mp4'), {});
  await writeFile(join(folder, 'a'), randomBytes(200_000));
  await expect(bytesOf(response)).rejects.toThrow(FileChanged);
});

test.each(['identity', 'br'])('a file that changes between hashing and sending, as %s, is not sent', async (coding) => {
  const file = await fileOf(script.slice(0, 10_000));
  async function* chunks() {
    yield* file.chunks();
    await writeFile(join(folder, 'a'), script.slice(0, 10_000).replaceAll('text', 'next'));
  }
  const response = createFileResponses()(ask({ 'Accept-Encoding': coding }), { ...file, chunks }, {});
  await expect(response).rejects.toThrow(FileChanged);
  expect(file.counts.closed).toBe(1);
});

test.each([
  ['a small one', 'x'.repeat(511), 'text/css'],
  ['a packed kind', script, 'font/woff2'],
  ['one that becomes no smaller', randomBytes(10_000), 'text/plain'],
])('%s is sent as it is', async (_, content, contentType) => {
  const response = await respond(ask({ 'Accept-Encoding': 'br, gzip' }), await fileOf(content, contentType), {});
  expect(response.headers['Content-Encoding']).toBeUndefined();
  expect(await bytesOf(response)).toEqual(Buffer.from(content));
});

test('answers 1,000 files at once, hashing two and compressing two at a time (security rule 25)', async () => {
  const fresh = createFileResponses();
  let reading = 0;
  let most = 0;
  const contents = Array.from({ length: 1_000 }, (_, index) => `${index} ${script.slice(0, 30_000)}`);
  const files = [];
  for (const [index, content] of contents.entries()) {
    const file = await fileOf(content, 'text/css', String(index % 500)); // under two versions
    async function* chunks() {
      most = Math.max(most, ++reading);
      yield* [Buffer.from(content)];
      reading--;
    }
    const body = async () => Buffer.from(content);
    await file.close();
    files.push({ ...file, chunks, body, version: String(index), size: content.length });
  }
  const responses = await Promise.all(files.map((file) => fresh(ask({ 'Accept-Encoding': 'br' }), file, {})));
  const bodies = await Promise.all(
    responses.map(async (response) => {
      const bytes = await bytesOf(response);
      return String(response.headers['Content-Encoding'] ? brotliDecompressSync(bytes) : bytes);
    }),
  );
  expect(bodies).toEqual(contents);
  const coded = responses.filter(({ headers }) => headers['Content-Encoding']).length;
  expect([most <= 4, coded > 0, coded < 1_000]).toEqual([true, true, true]);
  const again = await fresh(ask({ 'Accept-Encoding': 'br' }), files.at(-1) ?? expect.fail(), {});
  expect(again.headers['Content-Encoding']).toBe('br');
});

test('a compressed content is kept, as long as there is room for it', async () => {
  const fresh = createFileResponses({ keptBytes: 10_000 });
  const reads = async (name: string) => {
    const file = await fileOf(`/* ${name} */ ${script}`, 'text/css', name);
    await bytesOf(await fresh(ask({ 'Accept-Encoding': 'gzip' }), file, {}));
    return file.counts.read;
  };
  expect([await reads('a'), await reads('a')]).toEqual([2, 1]); // written anew, so hashed again
  for (const name of 'bcdefghijkl') await reads(name);
  expect(await reads('a')).toBe(2);
});
