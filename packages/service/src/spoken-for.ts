import type { ConsumerRow } from './store/consumers.ts';

/** What `spokenFor` looks at. */
export type SpeakingConsumer = Pick<
  ConsumerRow,
  | 'kind'
  | 'member_id'
  | 'owner_is_admin'
  | 'container'
  | 'any_member'
  | 'app_active'
  | 'requestor_exists'
  | 'requestor_has_app'
  | 'token_flow'
  | 'token_member_id'
  | 'token_member_is_admin'
>;

/**
 * The table of consumer kinds in the contract's §5, as one pure function: for which member a verified request speaks, if for
 * any. The kind of a token is what the database says, whatever the request calls it. Who is no administrator any more
 * speaks for nobody else (docs/decisions/0016-administrators-who-leave.md).
 */
export function spokenFor(
  consumer: SpeakingConsumer,
  { hasToken, requestorId }: { readonly hasToken: boolean; readonly requestorId: string | undefined },
): string | undefined {
  const requestor = consumer.requestor_exists === 1 ? requestorId : undefined;
  if (!hasToken) return maySpeakAlone(consumer, requestor) ? requestor : undefined;
  const { kind, token_flow: flow, token_member_id: giver } = consumer;
  if (giver == null || kind === 'app') return undefined;
  if (flow === 'admin') return kind === 'admin' && consumer.token_member_is_admin === 1 ? requestor : undefined;
  return requestorId === undefined || requestorId === giver ? giver : undefined;
}

function maySpeakAlone(consumer: SpeakingConsumer, requestor: string | undefined): boolean {
  if (requestor === undefined) return false;
  switch (consumer.kind) {
    case 'member':
      return consumer.member_id === requestor;
    case 'admin':
      return consumer.any_member === 1 && (consumer.member_id === null || consumer.owner_is_admin === 1);
    case 'app':
      return consumer.app_active === 1 && (consumer.container === 1 || consumer.requestor_has_app === 1);
  }
}
