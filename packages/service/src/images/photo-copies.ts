import { type BlobCopies, type Bucket, createFolderBlobs, type Database, placeOf, readNames, sql } from '@gantry/store';
import { isFileUsed } from '../store/media-files.ts';
import { createImages, previewFile } from './images.ts';

/**
 * Returns the copies of a site's photos into its bucket, or out of it into the media folder. A
 * photo that is deleted meanwhile leaves no copy.
 */
export function photoCopies(options: {
  readonly db: Database;
  readonly mediaFolder: string;
  readonly bucket: Bucket;
  readonly into: 'bucket' | 'folder';
}): BlobCopies {
  const { db, mediaFolder, bucket, into } = options;
  const images = createImages({ db, mediaFolder, bucket });
  const folder = placeOf(createFolderBlobs(mediaFolder), { isProven: false });
  const inBucket = placeOf(bucket.media, { isProven: true });
  const [from, to] = into === 'bucket' ? [folder, inBucket] : [inBucket, folder];

  return {
    from,
    to: {
      ...to,
      // Its rows may have gone while it was read, and the removal of its files with them.
      async put(name, bytes) {
        await to.put(name, bytes);
        await images.removeUnused([name]);
      },
    },
    async count() {
      const [row] = await db.query<{ n: number }>(sql`
        select coalesce(sum(case when file like '%-%' then 1 else 2 end), 0) as n
        from (select distinct file from media_file) files`);
      return Number(row?.n ?? 0);
    },
    async *names() {
      const files = readNames(async ({ after, most }) => {
        const rows = await db.query<{ file: string }>(sql`
          select distinct file from media_file where file > ${after} order by file limit ${most}`);
        return rows.map(({ file }) => file);
      });
      for await (const file of files) {
        yield file;
        if (!file.includes('-')) yield previewFile(file); // which has no row, and older photos have none
      }
    },
    isNeeded: (name) => isFileUsed(db, name),
  };
}
