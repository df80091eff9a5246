import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { type CheckResult, checkRecord, checkRemoval, checkSite, isRemoval, type Problem } from './check-record.ts';
import { createKnownIds, isReferenceTarget, type KnownIds } from './references.ts';
import { type RecordKind, recordSchemas, type World, type WorldRecord } from './schema.ts';

/**
 * Checks every record of a world file, and its references to the file or the database.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example
 * `members[17].displayName`.
 */
export async function checkWorld(db: Database, file: unknown): Promise<World> {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw bad('The world file', ['', 'must be an object']);
  const { site, ...lists } = file as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(lists).find((name) => !Object.hasOwn(recordSchemas, name));
  if (unknown !== undefined)
    throw bad(unknown, ['', `is not known: the lists are ${Object.keys(recordSchemas).join(', ')}`]);
  const known = createKnownIds(db);
  const removed: string[] = [];
  const world: Partial<Record<RecordKind, readonly unknown[]>> = {};
  for (const kind of Object.keys(recordSchemas) as RecordKind[]) {
    world[kind] = await checkList(kind, lists[kind], { known, removed });
  }
  return {
    ...world,
    removed,
    endedFriendships: [],
    endedBlocks: [],
    site: site === undefined ? undefined : good('site', checkSite(site)),
  } as World;
}

async function checkList<K extends RecordKind>(
  kind: K,
  list: unknown,
  { known, removed }: { readonly known: KnownIds; readonly removed: string[] },
): Promise<readonly WorldRecord<K>[]> {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw bad(kind, ['', 'must be a list']);
  const seen = new Set<string>();
  const once = (path: string, name: string | undefined) => {
    if (name !== undefined && seen.has(name)) throw bad(path, ['', 'has the id of an earlier record']);
    if (name !== undefined) seen.add(name);
  };
  const records: WorldRecord<K>[] = [];
  for (const [index, item] of list.entries()) {
    const path = `${kind}[${index}]`;
    if (kind === 'members' && isRemoval(item)) {
      const id = good(path, checkRemoval(item));
      once(path, id);
      await known.removeMember(id);
      removed.push(id);
      continue;
    }
    const record = good(path, checkRecord(kind, item));
    const name = ownName(kind, record);
    once(path, name);
    const problem = await known.missingReference(kind, record);
    if (problem) throw bad(path, problem);
    if (name !== undefined && isReferenceTarget(kind)) known.add(kind, name);
    records.push(record);
  }
  return records;
}

function good<T>(path: string, { record, problem }: CheckResult<T>): T {
  if (problem) throw bad(path, problem);
  return record as T;
}

function bad(path: string, [member, problem]: Problem): SocialError {
  return new SocialError('BAD_REQUEST', `${path}${member} ${problem}.`);
}

function ownName(kind: RecordKind, record: object): string | undefined {
  if ('id' in record) return String(record.id);
  return kind === 'consumers' && 'key' in record ? String(record.key) : undefined;
}
