import { type Database, type Statement, StoreError, sql } from '@gantry/store';
import { appDataTooLarge, maxAppDataBytes, maxAppDataKeys } from '../app-data-fields.ts';
import { createImages } from '../images/images.ts';
import type { Problem } from './check-record.ts';
import { gather, type LineRecord, pathOf } from './line-record.ts';
import { createKnown, isTarget } from './references.ts';
import type { WorldRecord } from './schema.ts';
import { filesGivenUp, storeImages } from './store-images.ts';
import { type StoreOptions, worldStatements } from './world-statements.ts';

/** The first record that could not be stored: its place in the list, and a sentence without its end. */
export interface BadRecord {
  readonly index: number;
  readonly problem: string;
}

/**
 * Stores checked records as one transaction, together with what `also` does: all, or none. Members who are taken away go
 * first. Whether the records refer to what is there is left to the database; only if it refuses is each looked at.
 *
 * @returns The first bad record, where there is one.
 */
export async function applyRecords(
  db: Database,
  records: readonly LineRecord[],
  { also = [], ...options }: StoreOptions & { readonly also?: readonly Statement[] },
): Promise<BadRecord | undefined> {
  const world = gather(records);
  const pictures = createImages({ db, mediaFolder: options.mediaFolder });
  const images = await storeImages(pictures, { mediaItems: world.mediaItems, folder: options.folder });
  if ('problem' in images) {
    const index = records.findIndex(({ record }) => record === world.mediaItems[images.index]);
    return { index, problem: `mediaItem.file ${images.problem}` };
  }
  const statements = await worldStatements(db, world, { ...options, images });
  const givenUp = await filesGivenUp(db, world, images);
  try {
    await db.batch([...statements, ...also]);
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
    const bad = await firstBad(db, records);
    if (bad === undefined) throw error; // ours, not the records'
    return bad;
  }
  await pictures.removeUnused(givenUp);
  return undefined;
}

async function firstBad(db: Database, records: readonly LineRecord[]): Promise<BadRecord | undefined> {
  const known = createKnown(db);
  const space = createSpace(db);
  for (const { list, record } of records) if (list === 'removed') await known.removeMember(record);
  for (const [index, { list, record }] of records.entries()) {
    if (list === 'site' || list === 'removed' || list === 'endedFriendships' || list === 'endedBlocks') continue;
    const problem =
      (await known.missing(list, record)) ?? (list === 'appData' ? await space.exceeded(record) : undefined);
    if (problem) return { index, problem: `${pathOf(list, problem[0])} ${problem[1]}` };
    if (isTarget(list)) known.add(list, (record as { readonly id: string }).id);
  }
  return undefined;
}

/** What a member would hold in an app. */
interface Holding {
  /** Bytes by key. */
  readonly sizes: Map<string, number>;
  bytes: number;
  /** Keys that the member may have: one record may hold more than others may add up to. */
  mostKeys: number;
}

/** Adds up what members would hold in apps. */
function createSpace(db: Database): { exceeded(record: WorldRecord<'appData'>): Promise<Problem | undefined> } {
  const holdings = new Map<string, Holding>();

  async function held({ memberId, appId }: WorldRecord<'appData'>): Promise<Holding> {
    const rows = await db.query<{ key: string; bytes: number }>(sql`
      select key, octet_length(key) + octet_length(value) as bytes from app_data
      where member_id = ${memberId} and app_id = ${appId}`);
    const sizes = new Map(rows.map(({ key, bytes }) => [key, Number(bytes)]));
    const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
    return { sizes, bytes, mostKeys: Math.max(maxAppDataKeys, rows.length) };
  }

  return {
    async exceeded(record) {
      const owner = `${record.memberId} ${record.appId}`;
      const own = holdings.get(owner) ?? (await held(record));
      holdings.set(owner, own);
      const entries = Object.entries(record.data);
      own.mostKeys = Math.max(own.mostKeys, entries.length);
      for (const [key, value] of entries) {
        const size = key.length + Buffer.byteLength(String(value));
        own.bytes += size - (own.sizes.get(key) ?? 0);
        own.sizes.set(key, size);
      }
      return own.bytes > maxAppDataBytes || own.sizes.size > own.mostKeys
        ? ['.data', `and what is stored are together too much: ${appDataTooLarge().message.replace(/\.$/, '')}`]
        : undefined;
    },
  };
}
