import { bounds, isId, SocialError } from '@gantry/wire';

export interface Guids {
  /** Each once, in request order. Text that cannot be an id is left out: it names no member. */
  readonly ids: readonly string[];
  /** True for a comma list, which leaves unknown members out; a single one is a 404. */
  readonly isList: boolean;
}

/**
 * Parses `{guid}` or `{pid}`: an id, an alias such as `@me`, or a comma list (contract §1).
 *
 * @throws SocialError BAD_REQUEST for more than 100 ids.
 */
export function parseGuids(segment: string, memberId: string): Guids {
  const isList = segment.includes(',');
  const parts = isList ? segment.split(',', bounds.ids + 1) : [segment];
  if (parts.length > bounds.ids) throw new SocialError('BAD_REQUEST', `A list names at most ${bounds.ids} members.`);
  const ids = parts.map((part) => (requesterNames.has(part) ? memberId : part)).filter(isId);
  return { ids: isList ? [...new Set(ids)] : ids, isList };
}

const requesterNames: ReadonlySet<string> = new Set(['@me', '@viewer', '@owner']);
