import type { OAuthRequest } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import type { Requester } from './authorize.ts';
import { readSigned, refused, type SignedRequest, type Verify } from './signed-request.ts';
import { spokenFor } from './spoken-for.ts';
import { type ConsumerRow, findConsumer } from './store/consumers.ts';

/** Who asks: a member through a consumer. */
export interface Authenticated extends Requester {
  readonly consumerKey: string;
  /** The site's own key, which speaks for every visitor. */
  readonly isContainer: boolean;
}

/**
 * Who the site's own proxy speaks for in this process, where nothing is signed. Only a container's key: its secret never
 * leaves the site. `undefined` where a signed request would be refused.
 */
export function visitorOf(
  consumer: ConsumerRow,
  { consumerKey, requestorId }: { readonly consumerKey: string; readonly requestorId: string },
): Authenticated | undefined {
  return consumer.container === 1 ? authenticated(consumer, { consumerKey, token: '', requestorId }) : undefined;
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
    const requester = consumer && authenticated(consumer, request);
    if (requester === undefined) throw refused('permission_denied');
    return requester;
  };
}

function grantedTo({ requestor_granted: names }: ConsumerRow): ReadonlySet<string> | undefined {
  return names === null ? undefined : new Set(names.split(' '));
}

function authenticated(
  consumer: ConsumerRow,
  { consumerKey, token, requestorId }: Pick<OAuthRequest, 'consumerKey' | 'token' | 'requestorId'>,
): Authenticated | undefined {
  const memberId = spokenFor(consumer, { hasToken: token !== '', requestorId });
  if (memberId === undefined) return undefined;
  return {
    consumerKey,
    isContainer: consumer.container === 1,
    memberId,
    appId: consumer.app_id ?? undefined,
    hasApp: consumer.requestor_has_app === 1,
    granted: grantedTo(consumer),
  };
}
