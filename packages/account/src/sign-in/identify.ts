import type { Database } from '@gantry/store';
import { isId } from '@gantry/wire';
import type { PageRequest } from '../http/page-request.ts';
import { findMember } from './find-member.ts';
import type { Sessions } from './sessions.ts';

/** Names the signed-in member of a request. */
export type Viewer = (request: Request) => Promise<string | undefined>;

/** Member of a request, and the owner of the forms on its page. */
export type Identity = Required<Pick<PageRequest, 'formOwner'>> & {
  readonly member: NonNullable<PageRequest['member']>;
};

/** Makes the function that identifies members by the site's own sign-in. */
export function identifyByViewer(db: Database, viewer: Viewer): (request: Request) => Promise<Identity | undefined> {
  return async (request) => {
    const id = await viewer(request);
    const member = id !== undefined && isId(id) ? await findMember(db, id) : undefined;
    return member && { member, formOwner: `member/${member.id}` };
  };
}

/** Makes the function that identifies members by the session that these pages began. */
export function identifyBySession(sessions: Sessions): (request: Request) => Promise<Identity | undefined> {
  return async (request) => {
    const session = await sessions.find(request);
    if (!session) return undefined;
    const { memberId: id, displayName, isAdmin, digest } = session;
    return { member: { id, displayName, isAdmin }, formOwner: `session/${digest}` };
  };
}
