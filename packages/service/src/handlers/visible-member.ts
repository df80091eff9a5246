import { SocialError } from '@gantry/wire';
import { authorize, type MemberFacts } from '../authorize.ts';
import { memberFacts } from '../store/members.ts';
import type { OperationCall } from './handler.ts';

/** Refuses a single `{guid}` that the viewer may not see. @throws SocialError NOT_FOUND */
export async function requireVisible({ db, requester, guids }: OperationCall): Promise<void> {
  const { ids, isList } = guids;
  if (isList || ids[0] === requester.memberId) return;
  const facts = await memberFacts(db, requester, ids);
  assertVisible(requester, facts.get(ids[0] ?? ''));
}

/** @throws SocialError NOT_FOUND for an unknown member, or one that the viewer may not see. */
export function assertVisible(requester: OperationCall['requester'], member: MemberFacts | undefined): MemberFacts {
  if (!member || authorize(requester, { act: 'see', member }) !== 'allowed') throw noSuchMember();
  return member;
}

export function noSuchMember(): SocialError {
  return new SocialError('NOT_FOUND', 'There is no such member.');
}
