import type { RequestParams } from './resource-request.ts';
import { SocialError } from './social-error.ts';

/** True for a parameter name that speaks of identity or signatures, however it is spelled (an app may never name one). */
export function isIdentityParam(name: string): boolean {
  return /^(x?oauth|opensocial)/i.test(fullyDecoded(name).trimStart());
}

/** @throws SocialError FORBIDDEN: an app never names a member to sign for (security rule 11). */
export function refuseIdentityParams(params: RequestParams): void {
  const name = Object.keys(params).find(isIdentityParam);
  if (name !== undefined) {
    throw new SocialError('FORBIDDEN', `The parameter ${JSON.stringify(name.slice(0, 64))} is the container's to set.`);
  }
}

function fullyDecoded(name: string): string {
  if (!/[%+]/.test(name)) return name; // as all but hostile ones
  for (let decoded = name; ; name = decoded) {
    try {
      decoded = decodeURIComponent(name.replaceAll('+', ' '));
    } catch {
      return name;
    }
    if (decoded === name) return name;
  }
}
