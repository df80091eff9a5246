import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChunkStore } from '@gantry/proxy';
import { openDatabase } from '@gantry/server';
import { photoCopies } from '@gantry/service';
import { copyBlob, openBucket, sql } from '@gantry/store';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useBucketServer, useHostileServer } from '../../../store/test/blobs/bucket-server.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { runCommand } from '../run-command.ts';

useBucketServer();

/** Makes a folder, and `gantry` with a data folder in it and a bucket. */
async function newSite() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bucket-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [data, bucket] = [join(folder, 'data'), `s3://photos/${randomUUID()}`];
  const run = (env: NodeJS.ProcessEnv, ...args: string[]) => runCommand(args, { GANTRY_DATA: data, ...env });
  return { folder, data, bucket, run, gantry: (...args: string[]) => run({ GANTRY_BUCKET: bucket }, ...args) };
}

test('photos are imported into the bucket and exported from it; backup and move say that they stay there (ADR 95)', async () => {
  const { folder, data, bucket, gantry } = await newSite();
  const picture = { create: { width: 40, height: 20, channels: 3, background: 'red' } } as const;
  await sharp(picture).png().toFile(join(folder, 'red.png'));
  const world = {
    site: { name: 'Village' },
    members: [{ id: '1', displayName: 'Ann' }],
    albums: [{ id: 'a', ownerId: '1', title: 'Reds' }],
    mediaItems: [{ id: 'm', albumId: 'a', title: 'Red', file: 'red.png' }],
  };
  await writeFile(join(folder, 'world.json'), JSON.stringify(world));
  expect(await gantry('import', join(folder, 'world.json'))).toMatchObject({ code: 0 });
  expect((await readdir(join(data, 'media'))).filter((name) => !name.startsWith('.'))).toEqual([]);

  const [out, media] = [join(folder, 'out.jsonl'), join(folder, 'photos')];
  expect(await gantry('export', '--out', out, '--media', media)).toMatchObject({ code: 0 });
  const [name = ''] = await readdir(media);
  expect((await sharp(await readFile(join(media, name))).metadata()).width).toBe(40);

  const backup = join(folder, 'backup');
  expect(await gantry('backup', backup, '--json')).toMatchObject({
    code: 0,
    out: expect.stringContaining(bucket),
    err: expect.stringContaining(`Not copied: photos and files of apps in ${bucket}. Copy that after this.`),
  });
  expect(await gantry('move', '--to', join(folder, 'moved.db'))).toMatchObject({
    code: 0,
    out: expect.stringContaining(`and ${bucket}: keys, photos and files of apps are there.`),
  });
});

test('a bucket that is missing is a usage error in one line', async () => {
  const { run } = await newSite();
  expect(await run({ GANTRY_BUCKET: 's3://absent' }, 'settings', 'list')).toEqual({
    code: 2,
    out: '',
    err: 'The bucket absent failed: there is none of that name.',
  });
});

/** Makes a site with three photos in its folder and an app's files in its database. */
async function newFullSite(postgres?: string) {
  const site = await newSite();
  const { folder, data, bucket } = site;
  const place = { ...(postgres !== undefined && { GANTRY_DATABASE: postgres }) };
  const gantry = (...args: string[]) => site.run(place, ...args);
  const colours = ['red', 'green', 'blue'];
  for (const background of colours) {
    const picture = { create: { width: 40, height: 20, channels: 3, background } } as const;
    await sharp(picture)
      .png()
      .toFile(join(folder, `${background}.png`));
  }
  const world = {
    members: [{ id: '1', displayName: 'Ann' }],
    albums: [{ id: 'a', ownerId: '1', title: 'Colours' }],
    mediaItems: colours.map((id) => ({ id, albumId: 'a', title: id, file: `${id}.png` })),
  };
  await writeFile(join(folder, 'world.json'), JSON.stringify(world));
  expect(await gantry('import', join(folder, 'world.json'))).toMatchObject({ code: 0 });
  expect(await gantry('app', 'add', 'demo/apps/notes', '--id', 'notes')).toMatchObject({ code: 0 });
  const media = join(data, 'media');
  const photos = async () => (await readdir(media)).filter((name) => !name.startsWith('.')).sort();
  const db = await openDatabase(postgres ?? join(data, 'gantry.db'));
  onTestFinished(() => db.close());
  const chunks = async () =>
    Number((await db.query<{ n: number }>(sql`select count(*) as n from app_chunk_bytes`))[0]?.n);
  const copy = async (verb: string, ...flags: string[]) => {
    const { code, out, err } = await gantry('bucket', verb, '--bucket', bucket, '--json', ...flags);
    return { code, err, report: out === '' ? undefined : JSON.parse(out) };
  };
  const [, name = '', prefix = ''] = /^s3:\/\/(\w+)\/(.+)$/.exec(bucket) ?? [];
  const opened = () => openBucket({ name, prefix: `${prefix}/` });
  return { ...site, place, gantry, media, photos, chunks, copy, db, opened };
}

/** Passes requests on to the bucket server, counts them by method, and changes bodies of PUT. */
async function watchBucket() {
  const { AWS_ENDPOINT_URL: server = '' } = process.env;
  const watch = { counts: {} as Record<string, number>, wrong: 0, downAfter: Number.POSITIVE_INFINITY, most: 0 };
  let running = 0;
  await useHostileServer((incoming, response) => {
    const { method = '', headers, url = '' } = incoming;
    if (/\/(media|chunks)\//.test(url)) watch.counts[method] = (watch.counts[method] ?? 0) + 1;
    if (method === 'PUT' && watch.downAfter-- <= 0) return void response.writeHead(500).end();
    watch.most = Math.max(watch.most, ++running);
    response.on('close', () => running--);
    const isWrong = method === 'PUT' && watch.wrong-- > 0;
    const passed = request(server + url, { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    incoming.on('data', (piece: Buffer) => {
      if (isWrong) piece[0] = (piece[0] ?? 0) ^ 1;
      passed.write(piece);
    });
    incoming.on('end', () => passed.end());
  });
  return watch;
}

const kinds: readonly { readonly name: string; readonly open: () => Promise<string | undefined> }[] = [
  { name: 'SQLite', open: async () => undefined },
  { name: 'PostgreSQL', open: async () => (await createSchema()).url },
];

describe.each(kinds)('gantry bucket beside $name (ADR 95)', ({ open }) => {
  test('fill copies all once, the site then needs nothing but the bucket, and fetch brings all back', async () => {
    const { copy, photos, chunks, media, db, opened, run, place, folder, bucket } = await newFullSite(await open());
    const [names, before] = [await photos(), await chunks()];
    const files = names.length + before;
    expect([names.length, before > 0]).toEqual([9, true]);
    const checked = await copy('fill', '--check');
    expect(checked).toMatchObject({ code: 1, report: { copied: files, present: 0, missing: 0, failed: 0 } });
    const store = await opened();
    expect(await store.media.sizeOf(String(names[0]))).toBeUndefined();

    const watch = await watchBucket();
    const first = await copy('fill');
    expect(first).toMatchObject({ code: 0, report: { copied: files, bytes: checked.report.bytes, present: 0 } });
    expect(watch.counts).toEqual({ HEAD: files, PUT: files, GET: files });
    expect([watch.most > 1, watch.most <= 8]).toEqual([true, true]);
    watch.counts = {};
    expect(await copy('fill')).toMatchObject({ code: 0, report: { copied: 0, present: files } });
    expect(watch.counts).toEqual({ HEAD: files });
    expect([await photos(), await chunks()]).toEqual([names, before]);

    const bytes = await Promise.all(names.map((name) => readFile(join(media, name))));
    await rm(media, { recursive: true });
    await db.query(sql`delete from app_chunk_bytes`);
    const exportPhotos = (env: NodeJS.ProcessEnv) =>
      run(env, 'export', '--out', join(folder, 'o.jsonl'), '--media', join(folder, 'photos'));
    expect(await exportPhotos(place)).toMatchObject({ code: 1 }); // the control
    expect(await exportPhotos({ ...place, GANTRY_BUCKET: bucket })).toMatchObject({ code: 0 });
    expect(await copy('fill', '--check')).toMatchObject({ code: 0, report: { copied: 0, present: files } });

    watch.counts = {};
    expect(await copy('fetch')).toMatchObject({ code: 0, report: { copied: files, present: 0 } });
    expect(watch.counts).toEqual({ HEAD: files, GET: files });
    watch.counts = {};
    expect(await copy('fetch', '--check')).toMatchObject({ code: 0, report: { copied: 0, present: files } });
    expect(watch.counts).toEqual({ HEAD: files });
    expect(await chunks()).toBe(before);
    expect(await Promise.all(names.map((name) => readFile(join(media, name))))).toEqual(bytes);
  });

  test('a byte that changes on the way is refused and named, and the next run copies that file only', async () => {
    const { copy, photos, chunks } = await newFullSite(await open());
    const files = (await photos()).length + (await chunks());
    const watch = await watchBucket();
    watch.wrong = 1;
    const first = await copy('fill');
    expect(first).toMatchObject({ code: 1, report: { copied: files - 1, failed: 1, isWhole: true } });
    expect(first.err).toMatch(/ failed: The bucket photos failed: \S+ has other bytes than were put/);
    expect(await copy('fill')).toMatchObject({ code: 0, report: { copied: 1, present: files - 1 } });
  });

  test('a photo that is missing is named, and the rest goes on; one that was deleted leaves no copy', async () => {
    const { copy, photos, chunks, media, db, opened } = await newFullSite(await open());
    const [lost = '', gone = ''] = (await photos()).filter((name) => !name.includes('-'));
    await rm(join(media, lost));
    const run = await copy('fill');
    expect(run).toMatchObject({ code: 1, report: { missing: 1, failed: 0, copied: 8 + (await chunks()) } });
    expect(run.err).toContain(`${lost} is missing.`);
    const store = await opened();
    const copies = photoCopies({ db, mediaFolder: media, bucket: store, into: 'bucket' });
    await store.media.remove(gone);
    const meanwhile = {
      ...copies,
      from: {
        ...copies.from,
        read: async (name: string) => {
          const bytes = await copies.from.read(name);
          await db.query(sql`delete from media_file where file like ${`${gone}%`}`);
          return bytes;
        },
      },
    };
    expect(await copyBlob(meanwhile, gone, { isCheck: false })).toEqual({ state: 'gone', bytes: 0 });
    expect(await store.media.sizeOf(gone)).toBeUndefined();
  });
});

test('fill ends after 20 failures of its bucket, prints no secret, and its next run copies the rest (ADR 95)', async () => {
  const { copy, photos, chunks, db } = await newFullSite();
  const more = Array.from({ length: 40 }, (_, index) => Buffer.from(`chunk ${index}`));
  const store = createChunkStore({ db });
  for (const bytes of more) await store.put(createHash('sha256').update(bytes).digest('hex'), bytes);
  const files = (await photos()).length + (await chunks());
  const watch = await watchBucket();
  watch.downAfter = 10;
  const { code, err, report } = await copy('fill');
  expect([code, report.copied, report.isWhole]).toEqual([1, 10, false]);
  expect(report.failed).toBeGreaterThanOrEqual(20);
  expect(report.failed).toBeLessThan(28);
  expect(err).toContain('Not all were tried.');
  expect(err).not.toContain('S3RVER');
  watch.downAfter = files;
  watch.counts = {};
  expect(await copy('fill')).toMatchObject({ code: 0, report: { copied: files - 10, present: 10 } });
  expect(watch.counts).toEqual({ HEAD: files, PUT: files - 10, GET: files - 10 });
});

test('a picture that the bucket has in other bytes stays as it is; a damaged file is fetched anew', async () => {
  const { copy, photos, media, opened } = await newFullSite();
  const [name = ''] = await photos();
  const store = await opened();
  const drawn = Buffer.from('drawn by another machine');
  await store.media.put(name, drawn);
  expect(await copy('fill')).toMatchObject({ code: 0, report: { present: 1 } });
  expect(await (await store.media.open(name))?.read()).toEqual(drawn);
  expect(await copy('fetch')).toMatchObject({ code: 0, report: { copied: 1 } });
  expect(await readFile(join(media, name))).toEqual(drawn);
});

test.each([
  [['bucket', 'fill'], 'Name the bucket: --bucket s3://NAME or GANTRY_BUCKET.'],
  [['bucket'], 'gantry bucket takes one word, fill or fetch. See gantry bucket --help.'],
  [['bucket', 'empty'], 'gantry bucket takes fill or fetch. See --help.'],
])('gantry %j is a usage error', async (args, err) => {
  const { run } = await newSite();
  expect(await run({}, ...args)).toEqual({ code: 2, out: '', err });
});
