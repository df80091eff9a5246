import { hash } from 'node:crypto';
import { type AccountMember, findAccountMember } from '@gantry/service/account';
import type { Database } from '@gantry/store';
import { isId, type PageViewer } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import type { Sessions } from './sessions.ts';

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
  readonly page?: { readonly member: AccountMember; readonly formOwner: string };
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
    const member = await findAccountMember(db, id);
    const { earlierRemovedAtMs } = member ?? {};
    const isEarlier = earlierRemovedAtMs !== undefined && signedAtMs <= earlierRemovedAtMs + skewMs;
    return member && !isEarlier ? identity(member, `member/${id}/${earlierRemovedAtMs ?? ''}`) : stranger(id);
  };
}

const noMember =
  'The site has signed in a person who is no member here, so nobody is signed in to Gantry. Save the member with ' +
  'gantry.saveRecords or POST /gantry/admin/records, or put name and iat into the viewer token.';

/** Makes the function that identifies members by the session that these pages began. */
export function identifyBySession(sessions: Sessions): Identify {
  return async (request) => {
    const session = await sessions.find(request);
    return session && identity(session.member, `session/${session.digest}`);
  };
}

function identity(member: AccountMember, formOwner: string): Identity {
  const epoch = member.earlierRemovedAtMs?.toString();
  return { viewer: { id: member.id, isMember: true, epoch }, page: { member, formOwner } };
}
