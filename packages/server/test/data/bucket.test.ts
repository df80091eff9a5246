import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket, sql } from '@gantry/store';
import { silentLogger } from '@gantry/wire/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { useBucketServer, useHostileServer } from '../../../store/test/blobs/bucket-server.ts';
import { addApp, configuration, createGantry, type Gantry } from '../../src/index.ts';

useBucketServer();

const url = 'http://localhost:4400';
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bucket-site-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Opens a process of a site. Another data folder with its keys is another machine. */
async function openSite(options: { data: string; database: string; bucket: string }): Promise<Gantry> {
  const gantry = await createGantry({ ...options, url, log: silentLogger, viewer: () => undefined });
  onTestFinished(() => gantry.close());
  return gantry;
}

test('an app that one machine stores is served by another from the bucket, and 503 while that is away (ADR 95)', async () => {
  let isDown = false;
  const { AWS_ENDPOINT_URL: server = '' } = process.env;
  await useHostileServer((incoming, response) => {
    if (isDown) return void response.writeHead(500).end();
    const { method, headers } = incoming;
    const passed = request(server + incoming.url, { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    incoming.pipe(passed);
  });
  const prefix = randomUUID();
  const bucket = `s3://spare/${prefix}`;
  const data = await newFolder();
  const database = join(data, 'gantry.db');
  const one = await openSite({ data, database, bucket });
  await addApp(one.stores, { id: 'notes', folder: 'demo/apps/notes', by: 'test' });
  const [row] = await one.stores.db.query<{ chunks: number; bytes: number; chunk: string }>(sql`
    select (select count(*) from app_chunks) as chunks, (select count(*) from app_chunk_bytes) as bytes,
      (select digest from app_chunks limit 1) as chunk`);
  expect(row).toMatchObject({ bytes: 0, chunk: expect.any(String) });
  const { chunks } = await openBucket({ name: 'spare', prefix: `${prefix}/` });
  expect(await chunks.sizeOf(String(row?.chunk))).toBeGreaterThan(0);

  const elsewhere = await newFolder();
  await cp(join(data, 'keys.json'), join(elsewhere, 'keys.json'));
  const two = await openSite({ data: elsewhere, database, bucket });
  const load = () => two.fetch(new Request(`${url}/gantry/apps/notes/index.html`));
  isDown = true;
  expect((await load()).status).toBe(503);
  isDown = false;
  const shown = await load();
  expect([shown.status, await shown.text()]).toEqual([200, await readFile('demo/apps/notes/index.html', 'utf8')]);
  isDown = true;
  expect((await load()).status).toBe(200); // from the cache of this machine
});

test.each([
  ['photos', 'bucket must be s3://bucket or s3://bucket/prefix, not "photos".'],
  ['s3://absent', 'The bucket absent failed: there is none of that name.'],
])('a site with the bucket %s does not start, and says why in one line', async (bucket, message) => {
  const data = await newFolder();
  const opened = createGantry({ data, url, bucket, log: silentLogger });
  await expect(opened).rejects.toMatchObject({ name: 'UsageError', message });
});

test('GANTRY_BUCKET and --bucket name it', () => {
  expect(configuration({}, { GANTRY_BUCKET: 's3://a-b' }).bucket).toBe('s3://a-b');
  expect(configuration({ bucket: 's3://site/x' }, { GANTRY_BUCKET: 's3://a-b' }).bucket).toBe('s3://site/x');
  expect(() => configuration({ bucket: 'site' }, {})).toThrow(
    '--bucket (GANTRY_BUCKET) must be s3://bucket or s3://bucket/prefix, not "site".',
  );
});
