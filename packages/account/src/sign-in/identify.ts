import { hash } from 'node:crypto';
import { type Database, sql } from '@gantry/store';
import { isId, type Logger, type PageViewer } from '@gantry/wire';
import type { Member } from '../http/page-request.ts';
import { epochOf, type Sessions } from './sessions.ts';

/** Sign-in of a member, as the site's token states it. */
export interface SignIn {
  readonly id: string;
  /** Milliseconds since the epoch. Members who had the id before were removed earlier. */
  readonly signedAtMs: number;
}

/** Names the signed-in member of a request. */
export type Viewer = (request: Request) => Promise<string | SignIn | undefined>;

/** Member of a request, and the owner of the forms on its page. */
export interface Identity {
  readonly viewer: PageViewer;
  /** Absent for a viewer who is no member. */
  readonly page?: { readonly member: Member; readonly formOwner: string };
}

export type Identify = (request: Request) => Promise<Identity | undefined>;

/** Tolerated difference between the clocks of site and Gantry. */
const skewMs = 10_000;
const quietMs = 60_000;

/**
 * Makes the function that identifies members by the site's own sign-in. An id that no member has is
 * nobody's, and the log says how to make it known (security rule 37).
 */
export function identifyByViewer(options: {
  readonly db: Database;
  readonly viewer: Viewer;
  readonly now: () => number;
  readonly log?: Pick<Logger, 'warn'> | undefined;
}): Identify {
  const { db, viewer, now, log } = options;
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  function stranger(id: string): Identity {
    if (now() >= quietUntilMs) {
      quietUntilMs = now() + quietMs;
      const member = hash('sha256', id, 'hex').slice(0, 12); // logs hold no ids
      log?.warn({ member, reason: 'no member' }, noMember);
    }
    return { viewer: { id, isMember: false } };
  }

  return async (request) => {
    const named = await viewer(request);
    if (named === undefined) return undefined;
    const { id, signedAtMs } = typeof named === 'string' ? { id: named, signedAtMs: Number.POSITIVE_INFINITY } : named;
    if (!isId(id)) return stranger(id);
    const [row] = await db.query<{ display_name: string; admin: number; removed_at_ms: number | null }>(sql`
      select display_name, admin, removed_at_ms from member
      left join removed_member on removed_member.member_id = member.id where member.id = ${id}`);
    if (!row || (row.removed_at_ms !== null && signedAtMs <= Number(row.removed_at_ms) + skewMs)) return stranger(id);
    const member = { id, displayName: row.display_name, isAdmin: row.admin === 1 };
    const epoch = epochOf(row);
    return { viewer: { id, isMember: true, epoch }, page: { member, formOwner: `member/${id}/${epoch ?? ''}` } };
  };
}

const noMember =
  'The site has signed in a person who is no member here, so nobody is signed in to Gantry. Save the member with ' +
  'gantry.saveRecords or POST /gantry/admin/records, or put name and iat into the viewer token.';

/** Makes the function that identifies members by the session that these pages began. */
export function identifyBySession(sessions: Sessions): Identify {
  return async (request) => {
    const session = await sessions.find(request);
    if (!session) return undefined;
    const { digest, member, epoch } = session;
    return { viewer: { id: member.id, isMember: true, epoch }, page: { member, formOwner: `session/${digest}` } };
  };
}
