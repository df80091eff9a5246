import { type Asker, type PageViewer, SocialError, type WireError } from '@gantry/wire';
import type { CallingGadget } from '../access/callers.ts';
import type { GadgetClaims, GadgetTokens } from './gadget-token.ts';

/** Identity of a gadget from its token, or the reason to refuse its calls. */
export type GadgetIdentity = { readonly asker: Asker; readonly gadget: CallingGadget } | { readonly error: WireError };

/**
 * Verifies gadgets' tokens and returns identities by instance. A token is valid for its own
 * instance and for the member who is signed in now (security rule 9).
 */
export async function identifyGadgets(
  given: readonly (readonly [instance: string, token: string])[],
  { tokens, viewer }: { readonly tokens: GadgetTokens; readonly viewer: PageViewer | undefined },
): Promise<ReadonlyMap<string, GadgetIdentity>> {
  const identities = given.map(async (each) => [each[0], await check(...each)] as const);
  return new Map(await Promise.all(identities));

  async function check(instance: string, token: string): Promise<GadgetIdentity> {
    const result = await tokens.check(token);
    if ('refused' in result) {
      return result.refused === 'expired' ? refusal('TOKEN_EXPIRED', 'The gadget token has expired.') : badToken;
    }
    const { claims } = result;
    if (claims.instance !== instance) return badToken;
    if (!isIssuedTo(viewer, claims)) return refusal('VIEWER_CHANGED', 'Another member is signed in now.');
    const { app, registration, version, isLimited = false } = claims;
    const asker = { app, viewer: claims.viewer, owner: claims.owner };
    return { asker, gadget: { app, registration, version, isLimited } };
  }
}

/**
 * Returns what the token of a page says with which a member decides something. It names the app and
 * the member who were shown the question, so that a member who signed in since then decides nothing
 * (security rule 3).
 *
 * @throws SocialError UNAUTHORIZED.
 */
export async function claimsOf(tokens: GadgetTokens, token: string, member: PageViewer): Promise<GadgetClaims> {
  const check = await tokens.check(token);
  if ('refused' in check) throw new SocialError('UNAUTHORIZED', 'The gadget token is not valid.');
  if (isIssuedTo(member, check.claims)) return check.claims;
  throw new SocialError('UNAUTHORIZED', 'Another member is signed in now.');
}

/** Returns whether a token is the viewer's, not that of a member who had the id before. */
export function isIssuedTo(viewer: PageViewer | undefined, claims: GadgetClaims): boolean {
  return claims.viewer === viewer?.id && claims.epoch === viewer?.epoch;
}

const badToken = refusal('UNAUTHORIZED', 'The gadget token is not valid for this instance.');

export const noToken = refusal('UNAUTHORIZED', 'This instance has no token here.');

function refusal(reason: 'UNAUTHORIZED' | 'TOKEN_EXPIRED' | 'VIEWER_CHANGED', message: string): GadgetIdentity {
  return { error: { code: 401, message, data: { reason } } };
}
