import { type Database, sql } from '@gantry/store';
import type { Problem } from './check-record.ts';
import type { RecordKind, WorldRecord } from './schema.ts';

/** Kinds of records that others refer to. */
export type ReferenceTarget = 'members' | 'apps' | 'albums';
const nouns: Readonly<Record<ReferenceTarget, string>> = { members: 'a member', apps: 'an app', albums: 'an album' };
const tables = { members: sql`member`, apps: sql`app`, albums: sql`album` };

export function isReferenceTarget(kind: RecordKind): kind is ReferenceTarget {
  return kind in nouns;
}

/** Members of records that refer to others, in the order in which they are checked. */
const references = [
  ['userId', 'members'],
  ['ownerId', 'members'],
  ['appId', 'apps'],
  ['memberId', 'members'],
  ['albumId', 'albums'],
] as const;

type Reference = readonly [member: string, target: ReferenceTarget, id: unknown];

function referencesOf(record: WorldRecord<RecordKind>): readonly Reference[] {
  if (Array.isArray(record)) return record.map((id, index) => [`[${index}]`, 'members', id]);
  const values: Readonly<Record<string, unknown>> = { ...record };
  return references.map(([name, target]) => [`.${name}`, target, values[name]]);
}

/** Lookup of members, apps and albums in the database and in earlier records. */
export type KnownIds = ReturnType<typeof createKnownIds>;

export function createKnownIds(db: Database) {
  /** True by `target id` for what exists. */
  const known = new Map<string, boolean>();

  async function has(target: ReferenceTarget, id: string): Promise<boolean> {
    const name = `${target} ${id}`;
    const found = known.get(name) ?? (await db.query(sql`select 1 from ${tables[target]} where id = ${id}`)).length > 0;
    known.set(name, found);
    return found;
  }

  return {
    add: (target: ReferenceTarget, id: string): void => void known.set(`${target} ${id}`, true),
    async removeMember(id: string): Promise<void> {
      known.set(`members ${id}`, false);
      const albums = await db.query<{ id: string }>(sql`select id from album where member_id = ${id}`);
      for (const album of albums) known.set(`albums ${album.id}`, false);
    },
    /** Returns the fault of a reference to something unknown, if any. */
    async missingReference(record: WorldRecord<RecordKind>): Promise<Problem | undefined> {
      for (const [member, target, id] of referencesOf(record)) {
        if (typeof id === 'string' && !(await has(target, id))) {
          return [member, `names ${nouns[target]} that does not exist: ${JSON.stringify(id)}`];
        }
      }
      return undefined;
    },
  };
}
