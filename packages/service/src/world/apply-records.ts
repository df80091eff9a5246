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
    if (bad === undefined) throw error;
    return bad;
  }
}

async function firstBad(db: Database, records: readonly LineRecord[]): Promise<BadRecord | undefined> {
  const knownIds = createKnownIds(db);
  const space = createAppDataQuota(db);
  for (const { list, record } of records) if (list === 'removed') await knownIds.removeMember(record);
  for (const [index, { list, record }] of records.entries()) {
    if (list === 'site' || list === 'removed' || list === 'endedFriendships' || list === 'endedBlocks') continue;
    const problem =
      (await knownIds.missingReference(record)) ?? (list === 'appData' ? await space.exceeded(record) : undefined);
    if (problem) return { index, problem: `${recordPath(list, problem[0])} ${problem[1]}` };
    if (isReferenceTarget(list)) knownIds.add(list, (record as { readonly id: string }).id);
  }
  return undefined;
}

function createAppDataQuota(db: Database): { exceeded(record: WorldRecord<'appData'>): Promise<Problem | undefined> } {
  const sizesOfOwners = new Map<string, Map<string, number>>();

  async function storedSizes({ memberId, appId }: WorldRecord<'appData'>): Promise<Map<string, number>> {
    const rows = await db.query<{ key: string; bytes: number }>(sql`
      select key, octet_length(key) + octet_length(value) as bytes from app_data
      where member_id = ${memberId} and app_id = ${appId}`);
    return new Map(rows.map(({ key, bytes }) => [key, bytes]));
  }

  return {
    async exceeded(record) {
      const owner = `${record.memberId} ${record.appId}`;
      const sizes = sizesOfOwners.get(owner) ?? (await storedSizes(record));
      sizesOfOwners.set(owner, sizes);
      const entries = Object.entries(record.data);
      // One record may hold more keys than separate writes may add up to.
      const mostKeys = Math.max(maxAppDataKeys, sizes.size, entries.length);
      for (const [key, value] of entries) sizes.set(key, key.length + Buffer.byteLength(String(value)));
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      return bytes > maxAppDataBytes || sizes.size > mostKeys
        ? ['.data', `and the stored data together are too much: ${appDataTooLarge().message.replace(/\.$/, '')}`]
        : undefined;
    },
  };
}
