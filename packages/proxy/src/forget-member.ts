import { type Statement, sql } from '@gantry/store';

/**
 * The statements that take away what the proxy keeps of a member who left the site: what they let apps do, and how their
 * writes ended. Whoever gets that id later has decided nothing.
 */
export function forgetMember(id: string): readonly Statement[] {
  return [sql`delete from app_grants where viewer = ${id}`, sql`delete from write_log where viewer = ${id}`];
}
