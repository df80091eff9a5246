import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { configuration, dataFlags, openStores } from '@gantry/server';
import { createPhotoBlobs, exportWorld } from '@gantry/service';
import type { Blobs } from '@gantry/store';
import { countText } from '@gantry/wire/runtime';
import { type Command, withFlags } from '../command.ts';
import { openLineOutput } from '../terminal/line-output.ts';
import { createProgress } from '../terminal/progress.ts';

const options = {
  ...dataFlags,
  out: { type: 'string', default: '-' },
  media: { type: 'string' },
  'with-secrets': { type: 'boolean', default: false },
} as const;

export const exportSite: Command = {
  name: 'export',
  summary: 'Write the whole site as a world file for gantry import',
  help: `Usage: gantry export [--out FILE] [--media DIR] [--with-secrets] [--data DIR]

Writes members, friendships, blocks, apps, installs, consumer keys, activities, AppData, albums and media items as JSON
Lines (docs/world-file.md), in one consistent snapshot; the site may run. Imported into an empty site they give the same
responses. Sessions, OAuth tokens and the addresses of apps (gantry app add) are not included.

  --out FILE        File to write (default: standard output)
  --media DIR       Copy the site's photos into DIR, and name them in the records
  --with-secrets    Include secrets of consumer keys and hashes of passwords. A reader of the file can then act as every
                    app and administrator. Without it, keys that have a secret are left out.

Examples:
  gantry export --out site.jsonl
  gantry export --out site.jsonl --media site-media --with-secrets
  gantry export | gzip > site.jsonl.gz`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, env, output }) => {
    const { out, media, 'with-secrets': withSecrets } = values;
    const stores = await openStores(configuration(values, env));
    const { db, secretKey } = stores;
    const progress = createProgress(output, 'record');
    try {
      if (withSecrets) output.err('The file will hold secrets: keep it where only administrators can read it.');
      const to = openLineOutput(out);
      const besideOut = out === '-' ? process.cwd() : dirname(resolve(out));
      const report = await exportWorld(db, {
        ...(withSecrets && { secretKey }),
        ...(media !== undefined && { copyImage: await copier(createPhotoBlobs(stores), resolve(media), besideOut) }),
        write: (lines) => to.write(lines),
        onProgress: ({ records, total }) => progress.step({ done: records, part: records / Math.max(1, total) }),
      });
      await to.finish();
      progress.end();
      const { records, consumersLeftOut, imagesLeftOut } = report;
      if (consumersLeftOut > 0)
        output.err(`Left out with their secrets: ${countText(consumersLeftOut, 'consumer key')}. See --with-secrets.`);
      if (imagesLeftOut > 0)
        output.err(`Left out, but not their items: ${countText(imagesLeftOut, 'photo')}. See --media.`);
      if (out !== '-') output.out(`Wrote ${countText(records, 'record')} to ${out}.`);
    } finally {
      progress.end();
      await db.close();
    }
  }),
};

/** Makes the function that copies a photo and returns its name relative to the records. */
async function copier(photos: Blobs, to: string, besideOut: string): Promise<(file: string) => Promise<string>> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const folder = relative(besideOut, to).split(sep).join('/');
  return async (file) => {
    const photo = await photos.open(file);
    if (!photo) throw new Error(`The photo ${file} is missing.`);
    await rm(join(to, file), { force: true }); // one of an earlier export may have another mode
    await writeFile(join(to, file), photo.stream(), { mode: 0o600 }); // security rule 30
    return folder === '' ? file : `${folder}/${file}`;
  };
}
