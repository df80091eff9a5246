import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { openSqlite, openSqliteCopy, sql } from '../src/index.ts';

test('the bytes of a database make copies that know its rows and rules and go their own ways (ADR 0044)', async () => {
  const folder = folderForTest();
  const first = openSqlite({ file: join(folder, 'first.db') }); // its journal mode, wal, is written into the bytes
  await first.batch([
    sql`create table member (id text primary key)`,
    sql`create table friend (id text references member (id))`,
    sql`insert into member (id) values ('m-1')`,
  ]);
  const content = first.bytes();
  await first.query(sql`insert into member (id) values ('m-2')`);
  const copies = [1, 2].map((number) => openSqliteCopy({ content, file: join(folder, `copy-${number}.db`) }));
  const [one, two] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.query(sql`insert into member (id) values ('m-3')`);
  const ids = async (db: typeof one) =>
    (await db.query<{ id: string }>(sql`select id from member`)).map(({ id }) => id);
  expect([await ids(first), await ids(one), await ids(two)]).toEqual([['m-1', 'm-2'], ['m-1', 'm-3'], ['m-1']]);
  await expect(two.query(sql`insert into friend (id) values ('nobody')`)).rejects.toMatchObject({
    reason: 'constraint',
  });
  expect(existsSync(join(folder, 'copy-1.db'))).toBe(Number(process.versions.node.split('.')[0]) < 24);
  for (const db of [first, one, two]) await db.close();
});
