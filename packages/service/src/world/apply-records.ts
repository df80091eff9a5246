import { type Database, StoreError, sql } from '@gantry/store';
import { appDataTooLarge, maxAppDataBytes, maxAppDataKeys } from '../fields/app-data.ts';
import type { Problem } from './check-record.ts';
import { groupRecords, type LineRecord, recordPath } from './line-record.ts';
import { createKnownIds, isReferenceTarget } from './references.ts';
import type { WorldRecord } from './schema.ts';
import type { BadRecord } from './store-images.ts';
import { storeWorld, type WorldOptions } from './store-world.ts';

/**
 * Stores checked records and the statements in `also` as one transaction: all, or none. The
 * database checks references; only if it refuses is each record examined.
 *
 * @returns The first bad record, if any.
 */
export async function applyRecords(
  db: Database,
  records: readonly LineRecord[],
  options: WorldOptions,
): Promise<BadRecord | undefined> {
  const world = groupRecords(records);
  try {
    const bad = await storeWorld(db, world, options);
    if (bad === undefined) return undefined;
    const index = records.findIndex(({ record }) => record === world.mediaItems[bad.index]);
    return { index, problem: `mediaItem.file ${bad.problem}` };
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
    const bad = await firstBad(db, records);
    if (bad === undefined) throw error; // not the records' fault
    return bad;
  }
}

async function firstBad(db: Database, records: readonly LineRecord[]): Promise<BadRecord | undefined> {
  const known = createKnownIds(db);
  const space = createAppDataQuota(db);
  for (const { list, record } of records) if (list === 'removed') await known.removeMember(record);
  for (const [index, { list, record }] of records.entries()) {
    if (list === 'site' || list === 'removed' || list === 'endedFriendships' || list === 'endedBlocks') continue;
    const problem =
      (await known.missingReference(record)) ?? (list === 'appData' ? await space.exceeded(record) : undefined);
    if (problem) return { index, problem: `${recordPath(list, problem[0])} ${problem[1]}` };
    if (isReferenceTarget(list)) known.add(list, (record as { readonly id: string }).id);
  }
  return undefined;
}

interface Holding {
  readonly sizes: Map<string, number>;
  bytes: number;
  /** Most keys of the member: one record may hold more than separate writes may add up to. */
  mostKeys: number;
}

function createAppDataQuota(db: Database): { exceeded(record: WorldRecord<'appData'>): Promise<Problem | undefined> } {
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
        ? ['.data', `and the stored data together are too much: ${appDataTooLarge().message.replace(/\.$/, '')}`]
        : undefined;
    },
  };
}
