import type { Asker, Call, WireError } from '@gantry/wire';
import type { GadgetTokens } from './gadget-token.ts';

/** Who an instance speaks for, or why it may not speak. */
export type Admitted = { readonly asker: Asker; readonly registration: string } | { readonly error: WireError };

/**
 * Checks the tokens that calls of a request use: each speaks for its own instance, and for the member who is signed in
 * now (security rule 9).
 */
export async function admit(
  {
    tokens: given,
    calls,
  }: {
    readonly tokens: Readonly<Record<string, string>>;
    readonly calls: readonly Pick<Call, 'instance'>[];
  },
  { tokens, viewer }: { readonly tokens: GadgetTokens; readonly viewer: string | undefined },
): Promise<(instance: string) => Admitted> {
  const used = new Set(calls.map(({ instance }) => instance));
  const inUse = Object.entries(given).filter(([instance]) => used.has(instance));
  const admitted = new Map(await Promise.all(inUse.map(async (each) => [each[0], await check(...each)] as const)));
  return (instance) => admitted.get(instance) ?? noToken;

  async function check(instance: string, token: string): Promise<Admitted> {
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

function refusal(reason: 'UNAUTHORIZED' | 'TOKEN_EXPIRED' | 'VIEWER_CHANGED', message: string): Admitted {
  return { error: { code: 401, message, data: { reason } } };
}
