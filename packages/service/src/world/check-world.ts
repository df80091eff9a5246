import { type Database, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import * as v from 'valibot';
import { appDataFields } from '../app-data-fields.ts';
import { checkConsumer } from '../consumers.ts';
import { settingProblem } from '../settings.ts';
import {
  type RecordKind,
  recordSchemas,
  type Site,
  siteSchema,
  siteSettings,
  type World,
  type WorldRecord,
} from './schema.ts';

/**
 * Checks every record of a world file and what it refers to, which is in the file or in the database.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example `members[17].displayName`.
 */
export async function checkWorld(db: Database, file: unknown): Promise<World> {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw bad('The world file', 'must be an object');
  const { site, ...lists } = file as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(lists).find((name) => !Object.hasOwn(recordSchemas, name));
  if (unknown !== undefined) throw bad(unknown, `is not known: the lists are ${Object.keys(recordSchemas).join(', ')}`);
  const known = createKnown(db);
  const world: Partial<Record<RecordKind, readonly unknown[]>> & { site: Site | undefined } = {
    site: site === undefined ? undefined : checkSite(site),
  };
  for (const kind of Object.keys(recordSchemas) as RecordKind[]) {
    world[kind] = await checkList(kind, lists[kind], known);
  }
  return world as World;
}

function checkSite(input: unknown): Site {
  const site = parsed(siteSchema, input, 'site');
  for (const [name, value] of siteSettings(site)) {
    const problem = settingProblem(name, value);
    const path = Object.hasOwn(site.settings ?? {}, name) ? `site.settings.${name}` : `site.${name}`;
    if (problem !== undefined) throw bad(path, problem);
  }
  return site;
}

async function checkList<K extends RecordKind>(
  kind: K,
  list: unknown,
  known: Known,
): Promise<readonly WorldRecord<K>[]> {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw bad(kind, 'must be a list');
  const seen = new Set<string>();
  const schema = recordSchemas[kind] as unknown as v.GenericSchema<unknown, WorldRecord<K>>;
  const records: WorldRecord<K>[] = [];
  for (const [index, item] of list.entries()) {
    const path = `${kind}[${index}]`;
    const record = parsed(schema, item, path);
    const name = ownName(kind, record);
    if (name !== undefined && seen.has(name)) throw bad(path, 'has the id of an earlier record');
    if (name !== undefined) seen.add(name);
    for (const [member, target, id] of references[kind](record)) {
      if (id !== undefined && !(await known.has(target, id))) {
        throw bad(`${path}${member}`, `names ${nouns[target]} that does not exist: ${JSON.stringify(id)}`);
      }
    }
    const problem = rules[kind]?.(record);
    if (problem !== undefined) throw bad(`${path}${problem[0]}`, problem[1]);
    if (name !== undefined && kind in nouns) known.add(kind as Target, name);
    records.push(record);
  }
  return records;
}

function parsed<S extends v.GenericSchema>(schema: S, input: unknown, path: string): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const within = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  throw bad(path + within.join(''), issue.message);
}

function bad(path: string, problem: string): SocialError {
  return new SocialError('BAD_REQUEST', `${path} ${problem}.`);
}

function ownName(kind: RecordKind, record: object): string | undefined {
  if ('id' in record) return String(record.id);
  return kind === 'consumers' && 'key' in record ? String(record.key) : undefined;
}

/** What can be referred to. */
type Target = 'members' | 'apps' | 'albums';
const nouns: Readonly<Record<Target, string>> = { members: 'a member', apps: 'an app', albums: 'an album' };
const tables = { members: sql`member`, apps: sql`app`, albums: sql`album` };

type Reference = readonly [member: string, target: Target, id: string | undefined];

const references: { readonly [K in RecordKind]: (record: WorldRecord<K>) => readonly Reference[] } = {
  members: () => [],
  friendships: pairOfMembers,
  blocks: pairOfMembers,
  apps: () => [],
  installs: appAndMember,
  consumers: appAndMember,
  activities: ({ userId, appId }) => [
    ['.userId', 'members', userId],
    ['.appId', 'apps', appId],
  ],
  appData: appAndMember,
  albums: ({ ownerId }) => [['.ownerId', 'members', ownerId]],
  mediaItems: ({ albumId }) => [['.albumId', 'albums', albumId]],
};

function pairOfMembers([first, second]: readonly [string, string]): readonly Reference[] {
  return [
    ['[0]', 'members', first],
    ['[1]', 'members', second],
  ];
}

interface OfAppAndMember {
  readonly appId?: string | undefined;
  readonly memberId?: string | undefined;
}

function appAndMember({ appId, memberId }: OfAppAndMember): readonly Reference[] {
  return [
    ['.appId', 'apps', appId],
    ['.memberId', 'members', memberId],
  ];
}

type Problem = readonly [member: string, problem: string];

/** What a schema cannot say. */
const rules: { readonly [K in RecordKind]?: (record: WorldRecord<K>) => Problem | undefined } = {
  friendships: differs,
  blocks: differs,
  consumers: (consumer) => refused('', () => checkConsumer(consumer)),
  appData: ({ data }) => refused('.data', () => appDataFields(data)),
  mediaItems: ({ file, url }) => (file === undefined && url === '' ? ['.file', 'is missing'] : undefined),
};

function refused(member: string, check: () => void): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    return [member, `is refused: ${error.message.replace(/\.$/, '')}`];
  }
}

function differs([first, second]: readonly [string, string]): Problem | undefined {
  return first === second ? ['', 'must be of two different members'] : undefined;
}

interface Known {
  add(target: Target, id: string): void;
  has(target: Target, id: string): Promise<boolean>;
}

function createKnown(db: Database): Known {
  const ids = { members: new Set<string>(), apps: new Set<string>(), albums: new Set<string>() };
  return {
    add(target, id) {
      ids[target].add(id);
    },
    async has(target, id) {
      if (ids[target].has(id)) return true;
      const found = (await db.query(sql`select 1 from ${tables[target]} where id = ${id}`)).length > 0;
      if (found) ids[target].add(id);
      return found;
    },
  };
}
