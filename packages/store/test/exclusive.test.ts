import { join } from 'node:path';
import { type Database, openPostgres, openSqlite, sql } from '@gantry/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { createSchema } from './postgres.ts';

const databases = [
  {
    name: 'SQLite',
    async place() {
      const folder = folderForTest();
      const file = join(folder, 'gantry.db');
      return (exclusive: boolean) => openSqlite({ file, exclusive, lockTimeoutMs: 100 });
    },
  },
  {
    name: 'PostgreSQL',
    async place() {
      const { url, remove } = await createSchema();
      onTestFinished(() => remove());
      return (exclusive: boolean) => openPostgres({ url, exclusive });
    },
  },
];

describe.each(databases)('exclusive use of a database, on $name (decision 79)', ({ place }) => {
  /** Resolves with whether a database can be opened and used. */
  async function use(open: () => Database): Promise<Database | string> {
    try {
      const db = open();
      onTestFinished(() => db.close());
      await db.query(sql`create table if not exists note (text text)`);
      await db.query(sql`select text from note`);
      return db;
    } catch (error) {
      return (error as { reason: string }).reason;
    }
  }

  test('is refused while another has it open, also if that is idle, and excludes others until it ends', async () => {
    const open = await place();
    const first = (await use(() => open(false))) as Database;
    const second = (await use(() => open(false))) as Database; // control: servers share it
    expect(await use(() => open(true))).toBe('unavailable');
    await first.close();
    expect(await use(() => open(true))).toBe('unavailable');
    await second.close();
    const alone = (await use(() => open(true))) as Database;
    expect(await alone.query(sql`select text from note`)).toEqual([]);
    expect(await use(() => open(false))).toBe('unavailable');
    await alone.close();
    expect(await use(() => open(false))).toBeTypeOf('object');
  });
});
