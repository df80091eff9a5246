import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderBlobs, maxBlobBytes, openBucket, parseBucket, withEarlier } from '@gantry/store';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { describeBlobs } from './blobs-contract.ts';
import { useBucketServer, useHostileServer } from './bucket-server.ts';

useBucketServer();

const newPrefix = () => `${randomUUID()}/`;
const newFolder = async () => createFolderBlobs(await mkdtemp(join(tmpdir(), 'gantry-blobs-')));
const newBucket = () => openBucket({ name: 'photos', prefix: newPrefix() });

describeBlobs('a folder', newFolder);
describeBlobs('a bucket', async () => (await newBucket()).media);
describeBlobs('a bucket before a folder', async () => withEarlier((await newBucket()).media, await newFolder()));

test('a blob of the earlier place is found, and removed in both', async () => {
  const [{ media }, folder] = [await newBucket(), await newFolder()];
  const both = withEarlier(media, folder);
  await folder.put('old', Buffer.from('old'));
  await both.put('new', Buffer.from('new'));
  expect(String(await (await both.open('old'))?.read())).toBe('old');
  expect([await folder.sizeOf('new'), await media.sizeOf('new')]).toEqual([undefined, 3]);
  for (const name of ['old', 'new']) await both.remove(name);
  expect([await both.sizeOf('old'), await both.sizeOf('new')]).toEqual([undefined, undefined]);
});

test.each([
  ['s3://photos', { name: 'photos', prefix: '' }],
  ['s3://photos/site-1/x', { name: 'photos', prefix: 'site-1/x/' }],
  ['s3://photos/', { name: 'photos', prefix: '' }],
  ['photos', undefined],
  ['s3://Photos', undefined],
  ['s3://photos/a b', undefined],
  ['https://photos', undefined],
])('%s is parsed', (address, place) => {
  expect(parseBucket(address)).toEqual(place);
});

describe('a bucket at its start', () => {
  test('one that is missing is named in one sentence', async () => {
    const opened = openBucket({ name: 'absent', prefix: '' });
    await expect(opened).rejects.toThrow(/^The bucket absent failed: there is none of that name\.$/);
  });

  test('media and chunks are apart', async () => {
    const { media, chunks } = await newBucket();
    await media.put('a', Buffer.from('photo'));
    expect(await chunks.open('a')).toBeUndefined();
  });
});

describe('a hostile bucket', () => {
  const digest = (name: string, bytes: string) => createHash('sha256').update(`${name}\n${bytes}`).digest('hex');
  let folder: string;
  beforeEach(async () => {
    const { TMPDIR: before } = process.env;
    folder = await mkdtemp(join(tmpdir(), 'gantry-hostile-'));
    process.env.TMPDIR = folder;
    onTestFinished(async () => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(folder, { recursive: true });
    });
  });

  /** Opens a bucket that answers reads of blobs as `answer` says. */
  async function hostile(answer: RequestListener) {
    await useHostileServer((request, response) => {
      if (request.method === 'HEAD') response.end();
      else answer(request, response);
    });
    return (await openBucket({ name: 'photos', prefix: '' }, { deadlineMs: 500 })).media;
  }
  const answering =
    (bytes: string, of = 'a'): RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'x-amz-meta-gantry-digest': digest(of, 'right') }).end(bytes);

  test('the right bytes are read (the control)', async () => {
    const media = await hostile(answering('right'));
    expect(String(await (await media.open('a'))?.read())).toBe('right');
  });

  test.each<[string, RequestListener]>([
    ['other bytes', answering('wrong')],
    ['those of another name', answering('right', 'b')],
    ['bytes without a digest', (_, response) => response.end('right')],
    ['no bytes', answering('')],
    ['an error', (_, response) => response.writeHead(500).end()],
    ['no S3', (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing')],
    ['no answer', () => {}],
    ['a body without an end', (_, response) => response.writeHead(200).write('right')],
    [
      'half of a body',
      (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('right', () => response.destroy()),
    ],
    ['a closed connection', (request) => request.destroy()],
    [
      'more and more bytes',
      (_, response) => {
        response.on('error', () => {});
        const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
        more();
      },
    ],
  ])('%s are no blob but a failure that passes, and leave no file (security rule 33)', async (_, answer) => {
    const media = await hostile(answer);
    await expect(media.open('a', { mostBytes: 1_000_000 })).rejects.toMatchObject({ reason: 'unavailable' });
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  test('a bucket that is silent fails each method at the deadline', async () => {
    let silent = false;
    await useHostileServer((_, response) => void (silent || response.end()));
    const { media } = await openBucket({ name: 'photos', prefix: '' }, { deadlineMs: 300 });
    silent = true;
    const all = [
      media.put('a', new Uint8Array(9)),
      media.sizeOf('a'),
      media.factsOf('a'),
      media.move('a', 'b'),
      media.remove('a'),
      media.list('x'),
    ];
    for (const one of await Promise.allSettled(all)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { reason: 'unavailable' } });
    }
  });

  test('256 MiB are the bound of one blob', () => expect(maxBlobBytes).toBe(268_435_456));
});
