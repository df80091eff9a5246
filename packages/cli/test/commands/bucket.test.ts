import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { useBucketServer } from '../../../store/test/blobs/bucket-server.ts';
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
