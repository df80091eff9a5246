import { type Database, type Statement, sql } from '@gantry/store';

export interface StoredSetting {
  readonly name: string;
  readonly value: string;
}

/** Returns the stored settings; one that was never set has no row. */
export function storedSettings(db: Database): Promise<readonly StoredSetting[]> {
  return db.query<StoredSetting>(sql`select name, value from setting order by name`);
}

export function settingWrite(name: string, value: string): Statement {
  return sql`
    insert into setting (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}
