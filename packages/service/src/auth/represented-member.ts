import type { ConsumerRow, Signatory } from '../store/consumers.ts';

/** Facts about a consumer that decide which member it acts for. */
export type ConsumerFacts = Pick<ConsumerRow, 'kind'> &
  Omit<ConsumerRow, keyof Signatory | 'app_id' | 'requestor_granted'>;

/**
 * Returns the member that a verified request acts for, if any: the table of consumer kinds in the
 * contract's §5 as a pure function. A token's kind is read from the database, not from the request.
 * Former administrators act for themselves only (docs/decisions/0016-administrators-who-leave.md).
 */
export function representedMember(
  consumer: ConsumerFacts,
  { hasToken, requestorId }: { readonly hasToken: boolean; readonly requestorId: string | undefined },
): string | undefined {
  const requestor = consumer.requestor_exists === 1 ? requestorId : undefined;
  if (!hasToken) return mayActWithoutToken(consumer, requestor) ? requestor : undefined;
  const { kind, token_flow: flow, token_member_id: grantor } = consumer;
  if (grantor == null || kind === 'app') return undefined;
  if (flow === 'admin') return kind === 'admin' && consumer.token_member_is_admin === 1 ? requestor : undefined;
  return requestorId === undefined || requestorId === grantor ? grantor : undefined;
}

function mayActWithoutToken(consumer: ConsumerFacts, requestor: string | undefined): boolean {
  if (requestor === undefined) return false;
  switch (consumer.kind) {
    case 'member':
      return consumer.member_id === requestor;
    case 'admin':
      return mayActForAnyMember(consumer);
    case 'app':
      return consumer.app_active === 1 && (consumer.container === 1 || consumer.requestor_has_app === 1);
  }
}

/** True for an administrators' key of any member, unless its owner is no administrator any more. */
export function mayActForAnyMember(consumer: ConsumerFacts): boolean {
  return consumer.any_member === 1 && (consumer.member_id === null || consumer.owner_is_admin === 1);
}
