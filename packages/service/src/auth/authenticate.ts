import type { OAuthRequest } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import type { Requester } from '../authorize.ts';
import { type ConsumerRow, findConsumer } from '../store/consumers.ts';
import { representedMember } from './represented-member.ts';
import { oauthRefusal, parseSignedRequest, type SignedRequest, type Verify } from './verify-request.ts';

export interface Authenticated extends Requester {
  readonly consumerKey: string;
  /** True for the site's own key, which acts for every visitor. */
  readonly isContainer: boolean;
}

/**
 * Returns the requester of an unsigned read by the site's own proxy in this process. Only for a
 * container's key: its secret never leaves the site.
 *
 * @returns `undefined` where a signed request would be refused.
 */
export function inProcessRequester(
  consumer: ConsumerRow,
  { consumerKey, requestorId }: { readonly consumerKey: string; readonly requestorId: string },
): Authenticated | undefined {
  return consumer.container === 1 ? authenticated(consumer, { consumerKey, token: '', requestorId }) : undefined;
}

/** Creates the function that verifies a request and returns its requester (contract §5). */
export function createAuthenticator({ db, verify }: { readonly db: Database; readonly verify: Verify }) {
  return async function authenticate(signed: SignedRequest): Promise<Authenticated> {
    const request = parseSignedRequest(signed);
    const { consumerKey, token, requestorId } = request;
    const consumer = await findConsumer(db, { key: consumerKey, token, requestorId });
    await verify({ ...signed, request }, consumer, 'access');
    const requester = consumer && authenticated(consumer, request);
    if (requester === undefined) throw oauthRefusal('permission_denied');
    return requester;
  };
}

function authenticated(
  consumer: ConsumerRow,
  { consumerKey, token, requestorId }: Pick<OAuthRequest, 'consumerKey' | 'token' | 'requestorId'>,
): Authenticated | undefined {
  const memberId = representedMember(consumer, { hasToken: token !== '', requestorId });
  if (memberId === undefined) return undefined;
  const { requestor_granted: granted } = consumer;
  return {
    consumerKey,
    isContainer: consumer.container === 1,
    memberId,
    appId: consumer.app_id ?? undefined,
    hasApp: consumer.requestor_has_app === 1,
    granted: granted === null ? undefined : new Set(granted.split(' ')),
  };
}
