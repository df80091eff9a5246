import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../database.ts';
import { type OpenFile, openFile } from '../open-file.ts';
import { type BlobFacts, type Blobs, type Bucket, digestStart, factsOfBytes, maxBlobBytes } from './blobs.ts';

/** Time for one request to a bucket, with its repetitions and the whole body. */
export const bucketDeadlineMs = 30_000;

/** Name of a bucket, and a prefix of all keys: empty, or with a slash at its end. */
export interface BucketPlace {
  readonly name: string;
  readonly prefix: string;
}

/** Parses `s3://name` or `s3://name/prefix`; `undefined` for any other text. */
export function parseBucket(address: string): BucketPlace | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(address);
  if (!match) return undefined;
  const [, name = '', path = ''] = match;
  return { name, prefix: path === '' ? '' : `${path.slice(1)}/` };
}

/**
 * Opens a bucket by `@aws-sdk/client-s3`, which the site installs. Credentials, region and endpoint
 * are those of the SDK's own environment variables and files.
 *
 * @param options.deadlineMs Default: 30 seconds.
 * @throws Error in one sentence if the package or the bucket is missing, or not within reach.
 */
export async function openBucket(
  { name, prefix }: BucketPlace,
  { deadlineMs = bucketDeadlineMs }: { readonly deadlineMs?: number } = {},
): Promise<Bucket> {
  const sdk = await loadSdk();
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION } = process.env;
  const isOwn = Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL);
  const client = new sdk.S3Client({
    // Servers other than Amazon's store checksums of streams as content, and want names in paths.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    forcePathStyle: isOwn,
    ...(isOwn && !AWS_REGION && { region: 'us-east-1' }),
  });

  /** Runs a request. @throws StoreError unavailable if it fails or takes too long. */
  async function within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
    });
    const working = work(ended.signal);
    try {
      return await Promise.race([working, tooLate]); // credentials may be waited for without the signal
    } catch (cause) {
      working.catch(() => {}); // it fails after the deadline
      if (cause instanceof StoreError) throw cause;
      throw new StoreError('unavailable', `The bucket ${name} failed: ${reasonOf(cause)}.`, { cause });
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  }

  function blobsBelow(folder: string): Blobs {
    const at = (blob: string) => ({ Bucket: name, Key: prefix + folder + blob });

    async function fetch(blob: string, path: string, mostBytes: number, abortSignal: AbortSignal): Promise<boolean> {
      const reply = await client.send(new sdk.GetObjectCommand(at(blob)), { abortSignal }).catch(ifMissing);
      const body = reply?.Body as (AsyncIterable<Uint8Array> & { destroy(): void }) | undefined;
      if (!reply || !body) return false;
      const end = () => body.destroy();
      abortSignal.addEventListener('abort', end);
      if (abortSignal.aborted) end();
      const file = await open(path, 'wx', 0o600);
      try {
        const hash = digestStart(blob);
        let size = 0;
        for await (const piece of body) {
          size += piece.length;
          if (size > mostBytes) throw new Error(`${blob} has more than ${mostBytes} bytes`);
          hash.update(piece);
          await file.writeFile(piece);
        }
        if (hash.digest('hex') !== reply.Metadata?.[digestName])
          throw new Error(`${blob} has other bytes than were put`);
        return true;
      } finally {
        end();
        await file.close();
      }
    }

    async function head(blob: string): Promise<BlobFacts | undefined> {
      const reply = await within((abortSignal) =>
        client.send(new sdk.HeadObjectCommand(at(blob)), { abortSignal }).catch(ifMissing),
      );
      return reply && { size: reply.ContentLength ?? 0, digest: reply.Metadata?.[digestName] };
    }

    return {
      async put(blob, bytes) {
        const Metadata = { [digestName]: factsOfBytes(blob, bytes).digest };
        const put = { ...at(blob), Body: bytes, ContentLength: bytes.length, Metadata };
        await within((abortSignal) => client.send(new sdk.PutObjectCommand(put), { abortSignal }));
      },
      // Into a file first: no byte is passed on before all are known to be right.
      async open(blob, { mostBytes = maxBlobBytes } = {}): Promise<OpenFile | undefined> {
        const path = join(tmpdir(), `gantry-blob-${randomUUID()}`);
        try {
          const isThere = await within((signal) =>
            fetch(blob, path, mostBytes, signal).catch(async (error: unknown) => {
              await rm(path, { force: true }); // also after the deadline
              throw error;
            }),
          );
          return isThere ? await openFile(path) : undefined;
        } finally {
          await rm(path, { force: true }); // it stays readable while it is open
        }
      },
      sizeOf: async (blob) => (await head(blob))?.size,
      factsOf: head,
      move: (from, to) =>
        within(async (abortSignal) => {
          const CopySource = `${name}/${at(from).Key}`;
          const copied = await client
            .send(new sdk.CopyObjectCommand({ ...at(to), CopySource }), { abortSignal })
            .catch(ifMissing);
          if (!copied) return false;
          await client.send(new sdk.DeleteObjectCommand(at(from)), { abortSignal });
          return true;
        }),
      async remove(blob) {
        await within((abortSignal) => client.send(new sdk.DeleteObjectCommand(at(blob)), { abortSignal }));
      },
      async list(inner) {
        const { Bucket, Key: Prefix } = at(`${inner}/`);
        const { Contents = [] } = await within((abortSignal) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1_000 }), { abortSignal }),
        );
        return Contents.map(({ Key = '' }) => Key.slice(Prefix.length));
      },
    };
  }

  await within((abortSignal) => client.send(new sdk.HeadBucketCommand({ Bucket: name }), { abortSignal }));
  return { media: blobsBelow('media/'), chunks: blobsBelow('chunks/') };
}

async function loadSdk() {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new Error('A bucket needs the package @aws-sdk/client-s3: npm install @aws-sdk/client-s3.', { cause });
  }
}

const digestName = 'gantry-digest';

/** Returns `undefined` for the error that a bucket has no such key. */
function ifMissing(error: unknown): undefined {
  const name = error instanceof Error ? error.name : '';
  if (name !== 'NoSuchKey' && name !== 'NotFound') throw error;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { httpStatusCode: status } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  const text = status === 404 ? 'there is none of that name' : status === 403 ? 'access is denied' : error.message;
  return (text || error.name).split('\n', 1)[0]?.replace(/\.$/, '') ?? error.name;
}
