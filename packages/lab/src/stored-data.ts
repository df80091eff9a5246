import { memberStream, readAppData } from '@gantry/service';
import { type Database, sql } from '@gantry/store';
import type { AppData, OptionalPersonField } from '@gantry/wire';

/** Data of a lab's site, read without apps, permissions and caches. */
export type StoredData = ReturnType<typeof createStoredData>;

export interface MemberOfApp {
  readonly member: string;
  readonly app: string;
}

export interface StoredActivity {
  readonly id: string;
  readonly title: string;
  /** Seconds since the epoch. */
  readonly postedAtS: number;
}

const mostActivities = 1_000;
const profileColumns = {
  aboutMe: 'about_me',
  addresses: 'region',
  age: 'birthday',
  birthday: 'birthday',
  gender: 'gender',
  languagesSpoken: 'language',
} as const satisfies Record<OptionalPersonField, string>;
const columnOf: ReadonlyMap<string, string> = new Map([...Object.entries(profileColumns), ['region', 'region']]);

export function createStoredData(db: Database) {
  return {
    async appData({ member, app }: MemberOfApp): Promise<AppData> {
      const rows = await readAppData(db, app, { ids: [member], keys: undefined });
      if (rows === 'too large') throw new Error(`The AppData of ${member} is too large for one answer.`);
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    /** Activities that the member posted through the app, newest first, at most 1,000. */
    async activities({ member, app }: MemberOfApp): Promise<readonly StoredActivity[]> {
      const range = { startIndex: 0, count: mostActivities };
      const { rows } = await memberStream(
        db,
        { memberId: member, appId: app, hasApp: true },
        { ids: [member], appId: app, range },
      );
      return rows.map(({ id, title, posted_at_s: postedAtS }) => ({ id, title, postedAtS }));
    },
    async appDataKeys(): Promise<readonly string[]> {
      const rows = await db.query<{ readonly key: string }>(sql`select distinct key from app_data`);
      return rows.map(({ key }) => key);
    },
    /** Values that members have in a field of their profiles; undefined for other fields. */
    async profileValues(field: string): Promise<readonly string[] | undefined> {
      const column = columnOf.get(field);
      if (column === undefined) return undefined;
      const name = sql.names([column]);
      const rows = await db.query<{ readonly value: string }>(
        sql`select distinct ${name} as value from member where ${name} <> ''`,
      );
      return rows.map(({ value }) => value);
    },
  };
}
