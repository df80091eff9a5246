import { type Asker, type PageViewer, SocialError, type WireError } from '@gantry/wire';
import type { CallingGadget } from '../access/callers.ts';
import type { GadgetClaims, GadgetTokens } from './gadget-token.ts';

/** Identity of a gadget from its token. */
export interface KnownGadget {
  readonly asker: Asker;
  readonly gadget: CallingGadget;
}

interface Refused {
  readonly error: WireError;
}

/** Identity of a gadget, or the reason to refuse its calls. */
export type GadgetIdentity = KnownGadget | Refused;

/** A gadget that a token names, for a viewer who may have left. */
interface NamedGadget extends KnownGadget {
  readonly claims: GadgetClaims;
}

type TokenViewer = Pick<PageViewer, 'id' | 'epoch'>;

type GivenTokens = readonly (readonly [instance: string, token: string])[];

/**
 * Verifies gadgets' tokens and returns identities by instance. A token is valid for its own
 * instance and for the member who is signed in now (security rule 9).
 */
export async function identifyGadgets(
  given: GivenTokens,
  { tokens, viewer }: { readonly tokens: GadgetTokens; readonly viewer: PageViewer | undefined },
): Promise<ReadonlyMap<string, GadgetIdentity>> {
  return (await readTokens(given, tokens)).identitiesFor(viewer);
}

/**
 * Verifies gadgets' tokens while the viewer is looked up.
 *
 * @returns The function that identifies the viewer's gadgets, and the result that it will have if
 * the first valid token is the viewer's.
 */
export async function readTokens(given: GivenTokens, tokens: GadgetTokens) {
  const named = new Map(await Promise.all(given.map(async (each) => [each[0], await check(...each)] as const)));

  async function check(instance: string, token: string): Promise<NamedGadget | Refused> {
    const result = await tokens.check(token);
    if ('refused' in result) {
      return result.refused === 'expired' ? refusal('TOKEN_EXPIRED', 'The gadget token has expired.') : badToken;
    }
    const { claims } = result;
    if (claims.instance !== instance) return badToken;
    const { app, viewer, owner, registration, version, isLimited = false } = claims;
    return { asker: { app, viewer, owner }, gadget: { app, registration, version, isLimited }, claims };
  }

  function identitiesFor(viewer: TokenViewer | undefined): ReadonlyMap<string, GadgetIdentity> {
    const identityOf = (each: NamedGadget | Refused): GadgetIdentity =>
      'error' in each || isIssuedTo(viewer, each.claims) ? each : viewerChanged;
    return new Map([...named].map(([instance, each]) => [instance, identityOf(each)]));
  }

  const [first] = [...named.values()].flatMap((each) => ('claims' in each ? [each.claims] : []));
  const firstViewer = first?.viewer === undefined ? undefined : { id: first.viewer, epoch: first.epoch };
  return { identitiesFor, ofFirstViewer: identitiesFor(firstViewer) };
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
export function isIssuedTo(viewer: TokenViewer | undefined, claims: GadgetClaims): boolean {
  return claims.viewer === viewer?.id && claims.epoch === viewer?.epoch;
}

const badToken = refusal('UNAUTHORIZED', 'The gadget token is not valid for this instance.');

const viewerChanged = refusal('VIEWER_CHANGED', 'Another member is signed in now.');

export const noToken = refusal('UNAUTHORIZED', 'This instance has no token here.');

function refusal(reason: 'UNAUTHORIZED' | 'TOKEN_EXPIRED' | 'VIEWER_CHANGED', message: string): Refused {
  return { error: { code: 401, message, data: { reason } } };
}
