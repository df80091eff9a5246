import { refuseUnboundNames } from './bounds.ts';
import type { RequestParams } from './resource-request.ts';
import { SocialError } from './social-error.ts';

/**
 * Refuses parameters by their names alone: more than the bounds allow, and any that speaks of identity or signatures,
 * however it is spelled (security rule 11). Values are data and are not looked at.
 *
 * @throws SocialError FORBIDDEN for a name that only the container may set; BAD_REQUEST for too many names, one that is
 * too long, and one that is percent-encoded more than once or wrongly.
 */
export function refuseParamNames(params: RequestParams): void {
  const names = Object.keys(params);
  refuseUnboundNames(names); // before anything is decoded
  for (const name of names) {
    if (!identityName.test(decodedName(name))) continue;
    throw new SocialError('FORBIDDEN', `The parameter ${JSON.stringify(name)} is the container's to set.`);
  }
}

// `+` is a space to those who decode forms. With the flags, `ſ` (U+017F) is an `s`, as case folding has it.
const identityName = /^[\s+]*(?:x?oauth|opensocial)/iu;
const escaped = /%[0-9a-f]{2}/i;

/** Undoes one layer of percent-encoding. More has no use but to hide a name, and costs as much as its sender likes. */
function decodedName(name: string): string {
  if (!escaped.test(name)) return name; // as all but hostile ones
  const decoded = decodedOnce(name);
  if (decoded !== undefined && !escaped.test(decoded)) return decoded;
  throw new SocialError('BAD_REQUEST', `The parameter ${JSON.stringify(name)} is percent-encoded twice or wrongly.`);
}

function decodedOnce(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined; // a lenient server would decode the escapes beside the bad one
  }
}
