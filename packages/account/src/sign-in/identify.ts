import { type Database, sql } from '@gantry/store';
import { isId } from '@gantry/wire';
import type { Member } from '../http/page-request.ts';
import type { Sessions } from './sessions.ts';

/** Names the signed-in member of a request. */
export type Viewer = (request: Request) => Promise<string | undefined>;

/** Returns the member of a request, and the owner of the forms on its page. */
export type Identify = (
  request: Request,
) => Promise<{ readonly member: Member; readonly formOwner: string } | undefined>;

/** Makes the function that identifies members by the site's own sign-in. */
export function identifyByViewer(db: Database, viewer: Viewer): Identify {
  return async (request) => {
    const id = await viewer(request);
    if (id === undefined || !isId(id)) return undefined;
    const [row] = await db.query<{ display_name: string; admin: number }>(
      sql`select display_name, admin from member where id = ${id}`,
    );
    const member = row && { id, displayName: row.display_name, isAdmin: row.admin === 1 };
    return member && { member, formOwner: `member/${id}` };
  };
}

/** Makes the function that identifies members by the session that these pages began. */
export function identifyBySession(sessions: Sessions): Identify {
  return async (request) => {
    const session = await sessions.find(request);
    return session && { member: session.member, formOwner: `session/${session.digest}` };
  };
}
