import { callPermissions, operation, type RouteParams, SocialError, type WorkingOperationId } from '@gantry/wire';
import type { Authenticated } from '../auth/authenticate.ts';
import { authorize } from '../auth/authorize.ts';
import type { Guids } from '../http/guids.ts';
import type { Query } from '../http/query.ts';
import type { Settings } from '../settings.ts';

/** Checks that need no stored data beyond the requester, in the order of the contract's §4. */

/** @throws SocialError NOT_IMPLEMENTED if the site lacks the extension that an operation needs. */
export function refuseMissingExtension(operationId: WorkingOperationId, settings: Settings): void {
  if (operation(operationId).extension === 'albums' && !settings.albums) {
    throw new SocialError('NOT_IMPLEMENTED', 'This site has no album extension.');
  }
}

export interface RequestShape {
  readonly operationId: WorkingOperationId;
  readonly guids: Guids;
  readonly hasBody: boolean;
}

/** @throws SocialError BAD_REQUEST for a write to several members, or a DELETE with a body. */
export function refuseInvalidShape({ operationId, guids, hasBody }: RequestShape): void {
  const { method } = operation(operationId);
  if (method !== 'GET' && guids.isList) throw new SocialError('BAD_REQUEST', 'Write for one member, not for a list.');
  if (method === 'DELETE' && hasBody) throw new SocialError('BAD_REQUEST', 'A DELETE has no body.');
}

export interface AccessRequest {
  readonly operationId: WorkingOperationId;
  readonly params: RouteParams;
  readonly guids: Guids;
  readonly query: Pick<Query, 'fields'>;
}

/**
 * @throws SocialError FORBIDDEN for permissions that the member did not grant, for an app other
 * than the key's own, and for writing as another member.
 */
export function refuseForbidden(requester: Authenticated, { operationId, params, guids, query }: AccessRequest): void {
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
