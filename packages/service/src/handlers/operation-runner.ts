import type { Parameter } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import {
  callPermissions,
  isWorking,
  maxDepthOfSeveral,
  operation,
  SocialError,
  serviceColumnsOf,
  type Topic,
  type WorkingOperationId,
} from '@gantry/wire';
import type { Authenticated } from '../auth/authenticate.ts';
import { authorize } from '../authorize.ts';
import type { Json } from '../formats/read-json.ts';
import type { Result } from '../formats/result.ts';
import type { MatchedRoute } from '../http/find-route.ts';
import { parseGuids } from '../http/guids.ts';
import { parseQuery } from '../http/query.ts';
import type { Settings } from '../settings.ts';
import { createZonedTime, type ZonedTime } from '../zoned-time.ts';
import type { OperationCall } from './handler.ts';
import { handlers } from './handlers.ts';

/** Operation that a client requests, whether by REST or JSON-RPC. */
export interface OperationRequest extends MatchedRoute {
  /** Query parameters (contract §2); unknown ones are ignored. */
  readonly query: readonly Parameter[];
  readonly hasBody: boolean;
  /** `Idempotency-Key`: identifies a write across retries. */
  readonly key?: string | undefined;
  /** Parses the body of a write on `topic`. @throws SocialError */
  readBody(topic: Topic): Json;
}

export interface CallContext {
  readonly requester: Authenticated;
  readonly settings: Settings;
}

/** Call that passed every check that needs no stored data. */
export type PreparedOperation = Omit<OperationCall, 'db'> & { readonly operationId: WorkingOperationId };

export interface OperationRunnerOptions {
  readonly db: Database;
  readonly publicUrl: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export type OperationRunner = ReturnType<typeof createOperationRunner>;
export type RunOperation = (request: OperationRequest, context: CallContext) => Promise<Result>;

/** Creates the runner of authorized operations, which REST and JSON-RPC share. */
export function createOperationRunner({ db, publicUrl, now, random }: OperationRunnerOptions) {
  const zonedTimeOf = zonedTimes();

  const runner = {
    /** Validates and authorizes a call in §4's order, without stored data. @throws SocialError */
    prepare(request: OperationRequest, { requester, settings }: CallContext): PreparedOperation {
      const { operationId, params, selector, hasBody, key } = request;
      if (operationId === undefined || !isWorking(operationId)) {
        throw new SocialError('NOT_IMPLEMENTED', 'This operation is listed, but not implemented.');
      }
      refuseMissingExtension(operationId, settings);
      const query = parseQuery(request.query, { pageSize: settings.pageSize, operationId });
      const guids = parseGuids(params.guid ?? '', requester.memberId);
      refuseInvalidShape({ operationId, guids, hasBody });
      refuseForbidden({ operationId, requester, params, guids, query });
      refuseTooDeep({ params, guids, query });
      const { method, topic } = operation(operationId);
      const body = method === 'POST' ? request.readBody(topic) : null;
      const zonedTime = zonedTimeOf(settings.timeZone);
      const call = { operationId, requester, settings, zonedTime, params, selector, guids, query, body, key };
      return { ...call, publicUrl, nowMs: now(), random };
    },
    /** Executes a prepared call on a database, which may read from a copy. @throws SocialError */
    execute: (prepared: PreparedOperation, source: Database): Promise<Result> =>
      handlers[prepared.operationId]({ ...prepared, db: source }),
    run: async (request: OperationRequest, context: CallContext): Promise<Result> =>
      runner.execute(runner.prepare(request, context), db),
  };
  return runner;
}

/** @throws SocialError NOT_IMPLEMENTED if the site lacks the extension that an operation needs. */
function refuseMissingExtension(operationId: WorkingOperationId, settings: Settings): void {
  if (serviceColumnsOf(operationId).extension === 'albums' && !settings.albums) {
    throw new SocialError('NOT_IMPLEMENTED', 'This site has no album extension.');
  }
}

/** @throws SocialError BAD_REQUEST for a write to several members, or a DELETE with a body. */
function refuseInvalidShape({ operationId, guids, hasBody }: Checked<'guids'> & { readonly hasBody: boolean }): void {
  const { method } = operation(operationId);
  if (method !== 'GET' && guids.isList) throw new SocialError('BAD_REQUEST', 'Write for one member, not for a list.');
  if (method === 'DELETE' && hasBody) throw new SocialError('BAD_REQUEST', 'A DELETE has no body.');
}

type Checked<Part extends keyof PreparedOperation> = Pick<PreparedOperation, 'operationId' | Part>;

/**
 * @throws SocialError FORBIDDEN for permissions that the member did not grant, for an app other
 * than the key's own, and for writing as another member.
 */
function refuseForbidden(call: Checked<'requester' | 'params' | 'guids' | 'query'>): void {
  const { operationId, requester, guids, query } = call;
  const { appid } = call.params;
  if (requester.granted !== undefined) {
    const needs = callPermissions(operationId, query.fields);
    if (authorize(requester, { act: 'call', needs }) !== 'allowed') {
      throw new SocialError('FORBIDDEN', 'The member has not allowed the app to do or to read this.');
    }
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

/** @throws SocialError TOO_LARGE for a page far inside of a list over several named members. */
function refuseTooDeep({ params, guids, query }: Pick<PreparedOperation, 'params' | 'guids' | 'query'>): void {
  if (guids.ids.length <= 1 || params.albumId !== undefined) return; // an index serves one member's
  if (query.startIndex + query.count <= maxDepthOfSeveral) return;
  throw new SocialError(
    'TOO_LARGE',
    `In a list over several members startIndex and count are at most ${maxDepthOfSeveral} together: name one at a time.`,
  );
}

function zonedTimes(): (timeZone: string) => ZonedTime {
  let last: { readonly timeZone: string; readonly zonedTime: ZonedTime } | undefined;
  return (timeZone) => {
    if (last?.timeZone !== timeZone) last = { timeZone, zonedTime: createZonedTime(timeZone) };
    return last.zonedTime;
  };
}
