import type { Asker, Call, CallsRequest, WireError } from '@gantry/wire';
import type { GadgetTokens } from './gadget-token.ts';

/** Identity of a gadget from its token, or the reason to refuse its calls. */
export type GadgetIdentity = { readonly asker: Asker; readonly registration: string } | { readonly error: WireError };

/**
 * Verifies the tokens of the instances that call. A token is valid for its own instance and for the
 * member who is signed in now (security rule 9).
 *
 * @returns A function from an instance to its identity.
 */
export async function identifyGadgets(
  { tokens: given, calls }: Pick<CallsRequest, 'tokens'> & { readonly calls: readonly Pick<Call, 'instance'>[] },
  { tokens, viewer }: { readonly tokens: GadgetTokens; readonly viewer: string | undefined },
): Promise<(instance: string) => GadgetIdentity> {
  const used = new Set(calls.map(({ instance }) => instance));
  const inUse = Object.entries(given).filter(([instance]) => used.has(instance));
  const identities = new Map(await Promise.all(inUse.map(async (each) => [each[0], await check(...each)] as const)));
  return (instance) => identities.get(instance) ?? noToken;

  async function check(instance: string, token: string): Promise<GadgetIdentity> {
    const result = await tokens.check(token);
    if ('refused' in result) {
      const isExpired = result.refused === 'expired';
      return isExpired ? refusal('TOKEN_EXPIRED', 'The gadget token has expired.') : badToken;
    }
    const { claims } = result;
    if (claims.instance !== instance) return badToken;
    if (claims.viewer !== viewer) return refusal('VIEWER_CHANGED', 'Another member is signed in now.');
    return {
      asker: { app: claims.app, viewer: claims.viewer, owner: claims.owner },
      registration: claims.registration,
    };
  }
}

const badToken = refusal('UNAUTHORIZED', 'The gadget token is not valid for this instance.');
const noToken = refusal('UNAUTHORIZED', 'This instance has no token here.');

function refusal(reason: 'UNAUTHORIZED' | 'TOKEN_EXPIRED' | 'VIEWER_CHANGED', message: string): GadgetIdentity {
  return { error: { code: 401, message, data: { reason } } };
}
