import type { Parameter } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import {
  isWorking,
  type OperationId,
  operation,
  type RouteParams,
  SocialError,
  type Topic,
  type WorkingOperationId,
} from '@gantry/wire';
import type { Authenticated } from '../auth/authenticate.ts';
import type { Result } from '../formats/result.ts';
import { parseGuids } from '../http/guids.ts';
import { parseQuery } from '../http/query.ts';
import type { Json } from '../http/read-json.ts';
import type { Settings } from '../settings.ts';
import { createZonedTime, type ZonedTime } from '../zoned-time.ts';
import type { OperationCall } from './handler.ts';
import { handlers } from './handlers.ts';
import { refuseForbidden, refuseInvalidShape, refuseMissingExtension } from './refusals.ts';

/** Operation that a client requests, whether by REST or JSON-RPC. */
export interface OperationRequest {
  /** Absent for a group, which no operation serves. */
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  /** The third segment of the path: `@self`, `@friends`, `@all`. */
  readonly selector: string;
  /** Query parameters (contract §2); unknown ones are ignored. */
  readonly query: readonly Parameter[];
  readonly hasBody: boolean;
  /** `Idempotency-Key`: identifies a write across retries. */
  readonly key?: string | undefined;
  /** Parses the body of a write on `topic`. @throws SocialError */
  readBody(topic: Topic): Json;
}

/** Requester and settings that a call runs with. */
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

export interface OperationRunner {
  /**
   * Validates and authorizes a call, in the order of the contract's §4, without stored data.
   * @throws SocialError
   */
  prepare(request: OperationRequest, context: CallContext): PreparedOperation;
  /** Executes a prepared call. @throws SocialError */
  execute(prepared: PreparedOperation): Promise<Result>;
  readonly run: RunOperation;
}

export type RunOperation = (request: OperationRequest, context: CallContext) => Promise<Result>;

/** Creates the runner of authorized operations, which REST and JSON-RPC share. */
export function createOperationRunner({ db, publicUrl, now, random }: OperationRunnerOptions): OperationRunner {
  const zonedTimeOf = zonedTimes();

  const runner: OperationRunner = {
    prepare(request, { requester, settings }) {
      const { operationId, params, selector, hasBody, key } = request;
      if (operationId === undefined || !isWorking(operationId)) throw notImplemented();
      refuseMissingExtension(operationId, settings);
      const query = parseQuery(request.query, { pageSize: settings.pageSize, operationId });
      const guids = parseGuids(params.guid ?? '', requester.memberId);
      refuseInvalidShape({ operationId, guids, hasBody });
      refuseForbidden(requester, { operationId, params, guids, query });
      const { method, topic } = operation(operationId);
      const body = method === 'POST' ? request.readBody(topic) : null;
      const zonedTime = zonedTimeOf(settings.timeZone);
      const call = { operationId, requester, settings, zonedTime, params, selector, guids, query, body, key };
      return { ...call, publicUrl, nowMs: now(), random };
    },
    execute: (prepared) => handlers[prepared.operationId]({ ...prepared, db }),
    run: async (request, context) => runner.execute(runner.prepare(request, context)),
  };
  return runner;
}

function notImplemented(): SocialError {
  return new SocialError('NOT_IMPLEMENTED', 'This operation is listed, but not implemented.');
}

function zonedTimes(): (timeZone: string) => ZonedTime {
  let last: { readonly timeZone: string; readonly zonedTime: ZonedTime } | undefined;
  return (timeZone) => {
    if (last?.timeZone !== timeZone) last = { timeZone, zonedTime: createZonedTime(timeZone) };
    return last.zonedTime;
  };
}
