import type { Database } from '@gantry/store';
import { isRecord, SocialError } from '@gantry/wire';
import { type CheckResult, checkRecord, checkRemoval, checkSite, isRemoval, type Problem } from './check-record.ts';
import { groupRecords, type LineRecord } from './line-record.ts';
import { createKnownIds, isReferenceTarget, type KnownIds } from './references.ts';
import { type RecordKind, recordSchemas, type World } from './schema.ts';

/**
 * Checks every record of a world file, and its references to the file or the database.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example
 * `members[17].displayName`.
 */
export async function checkWorld(db: Database, file: unknown): Promise<World> {
  if (!isRecord(file)) throw bad('The world file', ['', 'must be an object']);
  const { site, ...lists } = file;
  const unknown = Object.keys(lists).find((name) => !Object.hasOwn(recordSchemas, name));
  if (unknown !== undefined)
    throw bad(unknown, ['', `is not known: the lists are ${Object.keys(recordSchemas).join(', ')}`]);
  const knownIds = createKnownIds(db);
  const records: LineRecord[] = [];
  for (const kind of Object.keys(recordSchemas) as RecordKind[]) {
    for await (const record of checkList(kind, lists[kind], knownIds)) records.push(record);
  }
  if (site !== undefined) records.push({ list: 'site', record: good('site', checkSite(site)) });
  return groupRecords(records);
}

async function* checkList(kind: RecordKind, list: unknown, knownIds: KnownIds): AsyncGenerator<LineRecord> {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw bad(kind, ['', 'must be a list']);
  const seen = new Set<string>();
  const once = (path: string, name: string | undefined) => {
    if (name !== undefined && seen.has(name)) throw bad(path, ['', 'has the id of an earlier record']);
    if (name !== undefined) seen.add(name);
  };
  for (const [index, item] of list.entries()) {
    const path = `${kind}[${index}]`;
    if (kind === 'members' && isRemoval(item)) {
      const id = good(path, checkRemoval(item));
      once(path, id);
      await knownIds.removeMember(id);
      yield { list: 'removed', record: id };
      continue;
    }
    const record = good(path, checkRecord(kind, item));
    const name = ownName(kind, record);
    once(path, name);
    const problem = await knownIds.missingReference(record);
    if (problem) throw bad(path, problem);
    if (name !== undefined && isReferenceTarget(kind)) knownIds.add(kind, name);
    yield { list: kind, record } as LineRecord;
  }
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
