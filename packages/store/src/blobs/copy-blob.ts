import { StoreError } from '../database.ts';
import { type BlobFacts, type Blobs, factsOfBytes } from './blobs.ts';

/** Names that one statement reads. */
const namesATurn = 1_000;

/** One end of a copy: a folder, a bucket or a table. */
export interface BlobPlace extends Pick<Blobs, 'factsOf' | 'put' | 'remove'> {
  /** Resolves with all bytes; `undefined` if there are none of that name. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Reads fail for other bytes than those that were put. */
  readonly isProven: boolean;
}

/** Blobs of one kind that are copied from one place to another. */
export interface BlobCopies {
  readonly from: BlobPlace;
  readonly to: BlobPlace;
  /** Number of names, to report progress. */
  count(): Promise<number>;
  /** Reads the names that rows refer to, a page at a time. */
  names(): AsyncIterable<string>;
  /** Returns whether rows need a blob that is nowhere. */
  isNeeded(name: string): Promise<boolean>;
}

/** Result of a copy. `gone`: no row needs it any longer. */
export interface CopyOutcome {
  readonly state: 'copied' | 'present' | 'missing' | 'gone';
  readonly bytes: number;
}

/** Makes an end of a copy. @param isProven It is a bucket, which knows the digest of a put. */
export function placeOf(blobs: Blobs, { isProven }: Pick<BlobPlace, 'isProven'>): BlobPlace {
  return { ...blobs, isProven, read: async (name) => (await blobs.open(name))?.read() };
}

/** Reads names in their order, a page at a time. `after` is `''` for the first. */
export async function* readNames(
  readPage: (page: { readonly after: string; readonly most: number }) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await readPage({ after, most: namesATurn });
    yield* page;
    after = page.length === namesATurn ? page.at(-1) : undefined;
  }
}

/**
 * Copies a blob that the other place has not, and reads it there once before it counts.
 *
 * @param options.isCheck Changes nothing; `copied` is then one that would be.
 * @throws StoreError unavailable, also if other bytes arrived. The source stays as it is.
 */
export async function copyBlob(
  { from, to, isNeeded }: Pick<BlobCopies, 'from' | 'to' | 'isNeeded'>,
  name: string,
  { isCheck }: { readonly isCheck: boolean },
): Promise<CopyOutcome> {
  const [wanted, found] = await Promise.all([from.factsOf(name), to.factsOf(name)]);
  if (found && (!wanted || isEqual(wanted, found) || (await isWhole(to, name)))) {
    return { state: 'present', bytes: found.size };
  }
  const absent = async () => ({ state: (await isNeeded(name)) ? ('missing' as const) : ('gone' as const), bytes: 0 });
  if (!wanted) return absent();
  if (isCheck) return { state: 'copied', bytes: wanted.size };
  const bytes = await from.read(name);
  if (!bytes) return absent();
  await to.put(name, bytes);
  const arrived = await to.read(name).catch(async (error: unknown) => {
    await to.remove(name).catch(() => {}); // the first error counts
    throw error;
  });
  if (!arrived) return absent();
  if (isEqual(factsOfBytes(name, arrived), factsOfBytes(name, bytes))) return { state: 'copied', bytes: bytes.length };
  await to.remove(name);
  throw new StoreError('unavailable', `${name} arrived with other bytes.`);
}

/** Returns whether a bucket has the bytes of another put: a picture may have been drawn twice. */
async function isWhole(place: BlobPlace, name: string): Promise<boolean> {
  return place.isProven && place.read(name).then(Boolean, () => false);
}

function isEqual(one: BlobFacts, other: BlobFacts): boolean {
  return one.size === other.size && one.digest === other.digest;
}
