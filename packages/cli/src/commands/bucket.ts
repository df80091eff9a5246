import { existsSync } from 'node:fs';
import { chunkCopies } from '@gantry/proxy';
import { configuration, databaseKind, dataFlags, isPostgres, UsageError } from '@gantry/server';
import { photoCopies } from '@gantry/service';
import { type BlobCopies, copyBlob } from '@gantry/store';
import { countText, grouped } from '@gantry/wire/runtime';
import { type Command, onlyWord, withFlags } from '../command.ts';
import { createProgress } from '../terminal/progress.ts';
import { sizeText } from '../terminal/size-text.ts';
import { withApps } from './app/app-stores.ts';

/** Files that are copied at once. */
const copiesAtOnce = 8;
/** Failures after which the rest is left for another run: a place that is away fails slowly. */
const mostFailures = 20;

const options = {
  ...dataFlags,
  bucket: { type: 'string' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `gantry bucket` */
export const bucket: Command = {
  name: 'bucket',
  summary: 'Copy the photos and app files that a site has into its bucket, or back',
  help: `Usage: gantry bucket fill [--check] [--json] [--bucket s3://NAME] [--data DIR]
       gantry bucket fetch [--check] [--json] [--bucket s3://NAME] [--data DIR]

fill copies photos of the data folder, and files of apps in the database, into the bucket. fetch copies those of the
bucket into the data folder and the database. Both copy only what is not there by size and SHA-256, read each copy once
before it counts, and delete nothing. The site may run, and a run that was cut off goes on when it is repeated.

After fill start the servers with the bucket, after fetch without it; then run the same command again, for what was
written in between. When it copies nothing, the old place may go: docs/guides/bucket.md says how.

Files that are missing or fail are named, and the exit code is 1. After ${mostFailures} failures of a place the rest waits for the
next run. Credentials are those of the SDK's environment variables.

  --check           Copy nothing; exit with 1 if a file would be copied or is missing
  --bucket s3://B   Bucket (GANTRY_BUCKET)
  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  SQLite file or postgres:// address (GANTRY_DATABASE)

Examples:
  gantry bucket fill --check --bucket s3://my-site
  gantry bucket fill
  gantry bucket fetch --bucket s3://my-site --data /var/lib/gantry`,
  run: withFlags({ options, verbs: ['fill', 'fetch'] }, async ({ values, positionals, env, output, print }) => {
    const verb = onlyWord(positionals, 'bucket', 'word, fill or fetch');
    if (verb !== 'fill' && verb !== 'fetch') throw new UsageError('gantry bucket takes fill or fetch. See --help.');
    const { check: isCheck = false } = values;
    const { bucket: address, database } = configuration(values, env);
    if (address === undefined) throw new UsageError('Name the bucket: --bucket s3://NAME or GANTRY_BUCKET.');
    if (!isPostgres(database) && !existsSync(database)) throw new UsageError(`There is no database at ${database}.`);
    await withApps({ values, env }, async ({ stores }) => {
      const { db, bucket } = stores;
      if (!bucket) throw new UsageError('The bucket is not open.');
      const isFill = verb === 'fill';
      const isProxy = (await databaseKind(db)) === 'proxy';
      const photos = photoCopies({ ...stores, bucket, into: isFill ? 'bucket' : 'folder' });
      const chunks = chunkCopies({ db, bucket, into: isFill ? 'bucket' : 'database' });
      const progress = createProgress(output, 'file');
      const report = await copyAll(isProxy ? [chunks] : [photos, chunks], {
        isCheck,
        onProgress: progress.step,
        onFailure: (line) => {
          progress.end();
          output.err(line);
        },
      }).finally(progress.end);
      const { copied, bytes, present, missing, failed, isWhole } = report;
      const done = isCheck ? 'To copy' : 'Copied';
      const direction = isFill ? 'into' : 'out of';
      const rest = `${missing > 0 ? `, ${grouped(missing)} missing` : ''}${failed > 0 ? `, ${failed} failed` : ''}`;
      const line = `${done} ${direction} ${address}: ${countText(copied, 'file')}, ${sizeText(bytes)}; there already: ${grouped(present)}${rest}.`;
      const start = isFill ? 'with the bucket' : 'without the bucket';
      const next =
        isCheck || copied === 0
          ? ''
          : `\nStart the servers ${start}, if they are not, then run this command once more.`;
      print({ bucket: address, ...report }, line + next);
      if (missing + failed > 0) throw new Error(isWhole ? incomplete : `${incomplete} Not all were tried.`);
      if (isCheck && copied > 0) throw new Error(`Not all is copied: gantry bucket ${verb}.`);
    });
  }),
};

const incomplete = 'Not all is copied: see above, and run the same command again.';

interface CopyReport {
  readonly copied: number;
  /** Those of what was copied. */
  readonly bytes: number;
  readonly present: number;
  /** Rows name them, and neither place has them. */
  readonly missing: number;
  readonly failed: number;
  /** No file was left out after failures. */
  readonly isWhole: boolean;
}

interface CopyAllOptions {
  readonly isCheck: boolean;
  readonly onProgress: (step: { readonly done: number; readonly part: number }) => void;
  readonly onFailure: (line: string) => void;
}

/** Copies all, a bounded number at once. */
async function copyAll(
  all: readonly BlobCopies[],
  { isCheck, onProgress, onFailure }: CopyAllOptions,
): Promise<CopyReport> {
  const counts = { copied: 0, bytes: 0, present: 0, missing: 0, failed: 0, isWhole: true };
  const total = (await Promise.all(all.map((copies) => copies.count()))).reduce((sum, count) => sum + count, 0);
  const inFlight = new Set<Promise<void>>();
  let done = 0;

  async function copy(copies: BlobCopies, name: string): Promise<void> {
    try {
      const { state, bytes } = await copyBlob(copies, name, { isCheck });
      if (state === 'copied') counts.bytes += bytes;
      if (state === 'missing') onFailure(`${name} is missing.`);
      if (state !== 'gone') counts[state]++;
    } catch (error) {
      counts.failed++;
      onFailure(`${name} failed: ${(error as Error).message}`);
    }
    done++;
    onProgress({ done, part: Math.min(1, done / total) });
  }

  for (const copies of all) {
    for await (const name of copies.names()) {
      if (counts.failed >= mostFailures) {
        counts.isWhole = false;
        break;
      }
      const copying = copy(copies, name).finally(() => inFlight.delete(copying));
      inFlight.add(copying);
      if (inFlight.size >= copiesAtOnce) await Promise.race(inFlight);
    }
  }
  await Promise.all(inFlight);
  return counts;
}
