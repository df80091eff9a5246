import { type Database, sql } from '@gantry/store';
import { type ConsumerRow, consumerColumns } from './consumers.ts';
import { isOneOf } from './one-of.ts';
import { type Dependency, type VersionRow, versionsText } from './versions.ts';

/** Everything that can invalidate a cached answer: its key's rights and its data's versions. */
export interface ReadState {
  readonly consumer: ConsumerRow;
  readonly epoch: string;
  readonly versions: string;
}

/** Reads the state in one query, since it precedes every cached answer. */
export async function findReadState(
  db: Database,
  { key, requestorId, memberIds, topic }: Dependency & { readonly key: string; readonly requestorId: string },
): Promise<ReadState | undefined> {
  type Row = ConsumerRow & VersionRow & { readonly epoch: string };
  const read = sql`
    select ${consumerColumns(requestorId)}, epoch, version.member_id as version_of, version.topic, version.n
    from consumer join site_version on one = 1 left join app on app.id = consumer.app_id
      left join member_version as version on ${isOneOf(sql`version.member_id`, memberIds)} and version.topic in ('people', ${topic})
    where key = ${key} order by version.member_id, version.topic`;
  const rows = await db.query<Row>(sql.repeated(read));
  const [consumer] = rows;
  return consumer && { consumer, epoch: consumer.epoch, versions: versionsText(rows) };
}
