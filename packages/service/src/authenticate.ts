import type { Database } from '@gantry/store';
import type { Requester } from './authorize.ts';
import { readSigned, refused, type SignedRequest, type Verify } from './signed-request.ts';
import { spokenFor } from './spoken-for.ts';
import { findConsumer } from './store/consumers.ts';

/** Who asks: a member through a consumer. */
export interface Authenticated extends Requester {
  readonly consumerKey: string;
  /** The site's own key, which speaks for every visitor. */
  readonly isContainer: boolean;
}

/**
 * Makes the function that says on whose behalf a request is, 2-legged or with an access token (contract §5).
 *
 * @throws OAuthError from the function that it makes.
 */
export function createAuthenticator({ db, verify }: { readonly db: Database; readonly verify: Verify }) {
  return async function authenticate(signed: SignedRequest): Promise<Authenticated> {
    const request = readSigned(signed);
    const { consumerKey, token, requestorId } = request;
    const consumer = await findConsumer(db, { key: consumerKey, token, requestorId });
    await verify({ ...signed, request }, consumer, 'access');
    const memberId = consumer && spokenFor(consumer, { hasToken: token !== '', requestorId });
    if (memberId === undefined) throw refused('permission_denied');
    return {
      consumerKey,
      isContainer: consumer?.container === 1,
      memberId,
      appId: consumer?.app_id ?? undefined,
      hasApp: consumer?.requestor_has_app === 1,
    };
  };
}
