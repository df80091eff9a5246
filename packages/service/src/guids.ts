import { bounds, isId, SocialError } from '@gantry/wire';

/** The members that a path segment names. */
export interface Guids {
  /** Each once, in the order asked. Text that can be no id is left out: it names nobody. */
  readonly ids: readonly string[];
  /** Whether the segment is a comma list, which is answered by what is found rather than by 404. */
  readonly isList: boolean;
}

/**
 * Reads `{guid}` or `{pid}`: an id, a name for the requester, or a comma list of them (contract §1).
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
