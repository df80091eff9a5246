import { expect, test } from 'vitest';
import { readUpload } from '../../src/http/read-upload.ts';

const url = 'http://site.example/';
const sent = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit);

test('a body is read up to its bound', async () => {
  expect(await readUpload(sent(new Uint8Array([1, 2, 3])), { mostBytes: 3 })).toEqual(new Uint8Array([1, 2, 3]));
  expect(await readUpload(new Request(url, { method: 'PUT' }), { mostBytes: 3 })).toEqual(new Uint8Array());
  await expect(readUpload(sent(new Uint8Array(4)), { mostBytes: 3 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a body that says that it is too large is not read at all (security rule 25)', async () => {
  let pulled = 0;
  const body = new ReadableStream(
    {
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1_000));
      },
    },
    { highWaterMark: 0 },
  );
  await expect(readUpload(sent(body, { 'content-length': '5000' }), { mostBytes: 3_000 })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
  expect(pulled).toBe(0);
  const honest = {
    headers: new Headers(),
    body: new Request(url, { method: 'PUT', body, duplex: 'half' } as RequestInit).body,
  };
  await expect(readUpload(honest, { mostBytes: 3_000 })).rejects.toMatchObject({ code: 'TOO_LARGE' }); // control
  expect(pulled).toBe(4);
});

test('a body whose sender leaves is no body, and a compressed one is refused', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
  await expect(readUpload(sent(body), { mostBytes: 3 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const packed = sent(new Uint8Array(1), { 'content-encoding': 'gzip' });
  await expect(readUpload(packed, { mostBytes: 3 })).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
});

test('a body holds a place from its first byte, and for a while only (security rule 35)', async () => {
  const { promise: firstByte, resolve: send } = Promise.withResolvers<void>();
  const sender = { pulled: 0 };
  const body = new ReadableStream({
    async pull(controller) {
      await (sender.pulled++ === 0 ? firstByte : new Promise(() => {}));
      controller.enqueue(new Uint8Array(1));
    },
  });
  const deadline = new AbortController();
  const places: string[] = [];
  const reading = readUpload(sent(body), {
    mostBytes: 3,
    deadline: () => deadline.signal,
    async inTurn(read) {
      places.push('taken');
      deadline.abort();
      return read().finally(() => places.push('left'));
    },
  });
  expect(places).toEqual([]);
  send();
  await expect(reading).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(places).toEqual(['taken', 'left']);
});
