import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bucket, openBucket, sql } from '@gantry/store';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createImages } from '../../../service/src/images/images.ts';
import { openServiceSqlite } from '../../../service/test/databases.ts';
import { items, publicUrl, serviceOf } from '../../../service/test/site.ts';
import { useBucketServer, useHostileServer } from '../../../store/test/blobs/bucket-server.ts';
import { openPhotoSite } from './photo-site.ts';

useBucketServer();

const jpeg = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer();
const whole = async function* () {
  yield jpeg;
};
const minute = 60_000;

/** Opens a site whose photos are in a bucket, with a service on a machine that has no folder. */
async function openBucketSite(given?: Bucket) {
  const bucket = given ?? (await openBucket({ name: 'photos', prefix: `${randomUUID()}/` }));
  const photos = await openPhotoSite(openServiceSqlite, { bucket });
  const { site, album, browser } = photos;
  const elsewhere = await serviceOf({ db: site.db, mediaFolder: await mkdtemp(join(tmpdir(), 'gantry-')) }, { bucket });
  const imagesOf = (options: { now?: () => number } = {}) =>
    createImages({ db: site.db, mediaFolder: site.mediaFolder, bucket, now: () => site.nowMs, ...options });
  return {
    ...photos,
    bucket,
    imagesOf,
    /** Loads the URLs of the album's photo, and its preview, from the other machine. */
    async load(method = 'GET') {
      const [item] = items(await site.get(`/mediaitems/1/@self/${album}`));
      const targets = [item?.url, item?.thumbnailUrl].map(String);
      return Promise.all(
        targets.map(async (url) => elsewhere.handle(new Request(url, { method }), url.slice(publicUrl.length))),
      );
    },
    preview: async () => {
      const [item] = items(await site.get(`/mediaitems/1/@self/${album}`));
      return browser.get(`/account/photos/photo/${item?.id}/preview`);
    },
  };
}

test('a photo of one machine is served by another, and by nothing but the bucket (ADR 95)', async () => {
  const { put, site, load, bucket } = await openBucketSite();
  expect((await put(new Uint8Array(jpeg))).status).toBe(201);
  const [photo, thumbnail] = await load();
  expect([photo?.status, thumbnail?.status]).toEqual([200, 200]);
  const { width } = await sharp(await photo?.arrayBuffer()).metadata();
  expect(width).toBe(400);
  expect((await readdir(site.mediaFolder)).filter((name) => !name.startsWith('.'))).toEqual([]);
  const [row] = await site.db.query<{ file: string }>(sql`select file from media_file`);
  expect(await bucket.media.sizeOf(String(row?.file))).toBeGreaterThan(0);
});

test('photos from before the bucket go on, and their removal leaves no file', async () => {
  const { site, album, put, imagesOf } = await openBucketSite();
  const before = createImages({ db: site.db, mediaFolder: site.mediaFolder });
  const kept = async () => (await readdir(site.mediaFolder)).filter((name) => !name.startsWith('.'));
  const file = await before.store(whole(), { maxBytes: 1e6, use: async (image) => image.file });
  expect(await kept()).toHaveLength(3);
  expect((await (await imagesOf().open(file))?.read())?.length).toBeGreaterThan(0);
  expect((await put(new Uint8Array(jpeg), { album })).status).toBe(201);
  expect(await kept()).toHaveLength(3); // the same picture is stored once
  await site.db.query(sql`delete from media_file`);
  await imagesOf().removeUnused([file]);
  expect(await kept()).toEqual([]);
});

test('a picture that another process takes away meanwhile is put back', async () => {
  const { bucket, imagesOf } = await openBucketSite();
  const other = imagesOf();
  let stored = '';
  const use = async ({ file }: { readonly file: string }) => {
    stored = file;
    await other.removeUnused([file]);
  };
  await imagesOf().store(whole(), { maxBytes: 1e6, use });
  for (const end of ['', '-180', '-360']) expect(await bucket.media.sizeOf(stored + end)).toBeGreaterThan(0);
  expect(await bucket.media.list('.removed')).toEqual([]);
});

test('a removal that was cut off is finished or taken back after five minutes, a fresh one is left alone', async () => {
  const { bucket, imagesOf, site, put } = await openBucketSite();
  await put(new Uint8Array(jpeg));
  const [row] = await site.db.query<{ file: string }>(sql`select file from media_file`);
  const file = String(row?.file).replace(/-\d+$/, '');
  const aside = (name: string, atMs: number) => `.removed/${name}~${atMs}~${randomUUID()}`;
  await bucket.media.put('f'.repeat(64), jpeg);
  await bucket.media.move('f'.repeat(64), aside('f'.repeat(64), site.nowMs)); // of no item
  await bucket.media.move(file, aside(file, site.nowMs)); // of one that has it again
  const store = () => imagesOf().store(whole(), { maxBytes: 1e6, use: async () => undefined });
  await store();
  expect(await bucket.media.list('.removed')).toHaveLength(2);
  await bucket.media.remove(file);
  site.nowMs += 6 * minute;
  await store();
  expect(await bucket.media.list('.removed')).toEqual([]);
  expect(await bucket.media.sizeOf(file)).toBeGreaterThan(0);
});

/** Runs a bucket in memory, which fails while it `isDown`. Its `methods` are those it was asked. */
async function runBucket() {
  const server = { isDown: false, methods: [] as string[] };
  const kept = new Map<string, { body: Buffer; digest: string }>();
  await useHostileServer(async (request, response) => {
    const pieces = await request.toArray();
    server.methods.push(String(request.method));
    if (server.isDown) return void response.writeHead(500).end();
    const path = String(request.url).split('?')[0] ?? '';
    const found = kept.get(path);
    if (request.method === 'PUT') {
      kept.set(path, { body: Buffer.concat(pieces), digest: String(request.headers['x-amz-meta-gantry-digest']) });
      return void response.end();
    }
    if (path === '/photos' || path === '/photos/') return void response.end('<ListBucketResult/>');
    const code = '<Error><Code>NoSuchKey</Code></Error>';
    if (!found) return void response.writeHead(404).end(request.method === 'HEAD' ? undefined : code);
    response.setHeader('x-amz-meta-gantry-digest', found.digest);
    response.setHeader('content-length', found.body.length);
    response.end(request.method === 'HEAD' ? undefined : found.body);
  });
  return server;
}

test('HEAD of a photo asks the bucket for no byte of it; GET does (security rule 34)', async () => {
  const server = await runBucket();
  const { put, load } = await openBucketSite(await openBucket({ name: 'photos', prefix: '' }));
  await put(new Uint8Array(jpeg));
  server.methods.length = 0;
  const heads = await load('HEAD');
  expect(server.methods).toEqual(['HEAD', 'HEAD']);
  const photos = await load();
  expect(server.methods.slice(2)).toEqual(['GET', 'GET']);
  const lengths = (answers: readonly Response[]) => answers.map(({ headers }) => headers.get('content-length'));
  expect(lengths(heads)).toEqual(lengths(photos));
  server.isDown = true;
  expect((await load('HEAD')).map(({ status }) => status)).toEqual([503, 503]);
});

test('a bucket that fails is 503 for photos, and for nothing else; then they are there again', async () => {
  const server = await runBucket();
  const { put, load, preview, site } = await openBucketSite(await openBucket({ name: 'photos', prefix: '' }));
  expect((await put(new Uint8Array(jpeg))).status).toBe(201);
  server.isDown = true;
  expect((await load()).map(({ status }) => status)).toEqual([503, 503]);
  expect((await preview()).status).toBe(503);
  expect((await put(new Uint8Array(jpeg), { name: 'other.jpg' })).status).toBe(503);
  expect((await site.get('/people/1/@self')).status).toBe(200);
  server.isDown = false;
  expect((await load()).map(({ status }) => status)).toEqual([200, 200]);
  expect((await preview()).status).toBe(200);
});
