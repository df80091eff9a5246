import { type Statement, sql } from '@gantry/store';

/** Statements that delete other data of the selected `ids`, in the service's transaction. */
export type DeleteOthers = (ids: Statement) => readonly Statement[];

/** Selects those of the ids that no member has. */
export function idsWithoutMember(ids: readonly string[]): Statement {
  return sql`
    with named (id) as (values ${sql.rows(ids.map((id) => [id]))})
    select id from named where not exists (select 1 from member where member.id = named.id)`;
}

/** Stores when a member was removed: what is older is not that of a later member with the id. */
export function noteRemoval(id: string, nowMs: number): Statement {
  return sql`
    insert into removed_member (member_id, removed_at_ms) values (${id}, ${nowMs})
    on conflict (member_id) do update set removed_at_ms = case
      when excluded.removed_at_ms > removed_member.removed_at_ms then excluded.removed_at_ms
      else removed_member.removed_at_ms + 1 end`;
}
