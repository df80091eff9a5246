import type { RequestParams } from './app-call.ts';
import { refuseUnboundNames } from './bounds.ts';
import { SocialError } from './social-error.ts';

/**
 * Validates the names of parameters: at most as many as the bounds allow, and none about identity
 * or signatures, in any spelling (security rule 11). Values are data and are not read.
 *
 * @throws SocialError FORBIDDEN for a name that only the container may set; BAD_REQUEST for too
 * many names, one that is too long, and one that is percent-encoded more than once or wrongly.
 */
export function refuseParamNames(params: RequestParams): void {
  const names = Object.keys(params);
  refuseUnboundNames(names); // before anything is decoded
  for (const name of names) {
    if (!identityName.test(decodedName(name))) continue;
    throw new SocialError('FORBIDDEN', `The parameter ${JSON.stringify(name)} is the container's to set.`);
  }
}

// Decoders of forms read `+` as a space. With these flags `ſ` (U+017F) matches `s`, as in case
// folding.
const identityName = /^[\s+]*(?:x?oauth|opensocial)/iu;
const escaped = /%[0-9a-f]{2}/i;

/** Undoes one layer of percent-encoding; more would hide a name, at a cost for the site. */
function decodedName(name: string): string {
  if (!escaped.test(name)) return name;
  try {
    const decoded = decodeURIComponent(name);
    if (!escaped.test(decoded)) return decoded;
  } catch {
    // A lenient server would decode the escapes beside the bad one.
  }
  throw new SocialError('BAD_REQUEST', `The parameter ${JSON.stringify(name)} is percent-encoded twice or wrongly.`);
}
