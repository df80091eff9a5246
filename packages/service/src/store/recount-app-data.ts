import { type Database, sql } from '@gantry/store';
import { maxAppDataKeys } from '../fields/app-data.ts';
import { everythingChanged } from './versions.ts';

const counted = sql`(select count(*) from app_data
  where app_data.member_id = member_app.member_id and app_data.app_id = member_app.app_id)`;
const isWrong = sql`(app_data_bytes > 0 or app_data_keys > 0) and app_data_keys <> ${counted}`;

/**
 * Corrects wrong counts of AppData keys: version 0.1.0 writes keys without counting them, and may
 * run beside this one (docs/decisions/0041-two-versions-at-once.md). Members with more keys than
 * the bound keep them. Reads all AppData once.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * await recountAppData(db); // after an upgrade
 * await db.close();
 */
export async function recountAppData(db: Database): Promise<void> {
  await db.batch([
    ...everythingChanged(sql`where exists (select 1 from member_app where ${isWrong})`), // friends' reads left them out
    sql`
      update member_app set (app_data_keys, app_data_keys_most) = (
        select ${counted}, case when ${counted} > ${maxAppDataKeys} then ${counted} else ${maxAppDataKeys} end
      ) where ${isWrong}`,
  ]);
}
