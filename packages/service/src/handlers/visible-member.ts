import { SocialError } from '@gantry/wire';
import { authorize, type MemberFacts } from '../authorize.ts';
import { memberFacts } from '../store/members.ts';
import type { Call } from './handler.ts';

/**
 * Makes sure that a single `{guid}` names somebody whom the viewer may see. The requester is known to exist.
 *
 * @throws SocialError NOT_FOUND
 */
export async function requireVisible({ db, requester, guids }: Call): Promise<void> {
  const { ids, isList } = guids;
  if (isList || ids[0] === requester.memberId) return;
  const facts = await memberFacts(db, requester, ids);
  seen(requester, facts.get(ids[0] ?? ''));
}

/** @throws SocialError NOT_FOUND for nobody, and for a member whom the viewer may not see. */
export function seen(requester: Call['requester'], member: MemberFacts | undefined): MemberFacts {
  if (!member || authorize(requester, { act: 'see', member }) !== 'allowed') throw noSuchMember();
  return member;
}

export function noSuchMember(): SocialError {
  return new SocialError('NOT_FOUND', 'There is no such member.');
}
