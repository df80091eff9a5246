import { callPermissions, operation, type RouteParams, SocialError, type WorkingOperationId } from '@gantry/wire';
import type { Authenticated } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { Guids } from './guids.ts';
import type { Query } from './query.ts';
import type { Settings } from './settings.ts';

/** Refusals that need no stored data beyond the requester, in the order of the contract's §4. */

/** @throws SocialError NOT_IMPLEMENTED where the site lacks the extension that a row needs. */
export function refuseMissingExtension(operationId: WorkingOperationId, settings: Settings): void {
  if (operation(operationId).extension === 'albums' && !settings.albums) {
    throw new SocialError('NOT_IMPLEMENTED', 'This site has no album extension.');
  }
}

export interface Meaning {
  readonly operationId: WorkingOperationId;
  readonly guids: Guids;
  readonly hasBody: boolean;
}

/** @throws SocialError BAD_REQUEST for a request that cannot be meant. */
export function refuseMeaningless({ operationId, guids, hasBody }: Meaning): void {
  const { method } = operation(operationId);
  if (method !== 'GET' && guids.isList)
    throw new SocialError('BAD_REQUEST', 'A write is for one member, not for a list.');
  if (method === 'DELETE' && hasBody) throw new SocialError('BAD_REQUEST', 'A DELETE has no body.');
}

export interface Attempt {
  readonly operationId: WorkingOperationId;
  readonly params: RouteParams;
  readonly guids: Guids;
  readonly query: Pick<Query, 'fields'>;
}

/**
 * @throws SocialError FORBIDDEN for what the member did not grant the app of the key, for an app that is not the key's own,
 *   and for writing as somebody else.
 */
export function refuseForbidden(requester: Authenticated, { operationId, params, guids, query }: Attempt): void {
  const { appid } = params;
  if (requester.granted !== undefined) {
    const needs = callPermissions(operationId, query.fields);
    if (authorize(requester, { act: 'call', needs }) !== 'allowed') throw notAllowed();
  }
  if (appid !== undefined && authorize(requester, { act: 'name app', appId: appid }) !== 'allowed') {
    throw new SocialError('FORBIDDEN', 'Name your own app with @app, using a key that was issued for an app.');
  }
  const { method, topic } = operation(operationId);
  if (method === 'GET') return;
  const act = topic === 'appData' ? 'write AppData' : 'post activity';
  if (authorize(requester, { act, memberId: guids.ids[0] ?? '' }) !== 'allowed') {
    throw new SocialError('FORBIDDEN', 'Write only for the requestor, and AppData only through an app that they have.');
  }
}

function notAllowed(): SocialError {
  return new SocialError('FORBIDDEN', 'The member has not allowed the app to do or to read this.');
}
