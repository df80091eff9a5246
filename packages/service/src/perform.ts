import type { Parameter } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { isWorking, type OperationId, operation, type RouteParams, SocialError, type Topic } from '@gantry/wire';
import type { Authenticated } from './authenticate.ts';
import type { Result } from './formats/result.ts';
import { type Guids, parseGuids } from './guids.ts';
import { handlers } from './handlers/handlers.ts';
import { parseQuery, type Query } from './query.ts';
import type { Json } from './read-json.ts';
import { refuseForbidden, refuseMeaningless, refuseMissingExtension } from './refuse.ts';
import type { Settings } from './settings.ts';
import { createSiteTime, type SiteTime } from './site-time.ts';

/** What one call asks, whichever dialect it came in. */
export interface Ask {
  /** Absent for a group, which no row serves. */
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  /** The third segment of the path: `@self`, `@friends`, `@all`. */
  readonly selector: string;
  /** Parameters of the contract's §2; others are ignored. */
  readonly query: readonly Parameter[];
  readonly hasBody: boolean;
  /** Parses the body of a write on `topic`. @throws SocialError */
  readBody(topic: Topic): Json;
}

/** On whose behalf, under which settings. */
export interface Admitted {
  readonly requester: Authenticated;
  readonly settings: Settings;
}

export interface Performed {
  readonly operationId: OperationId;
  readonly result: Result;
  readonly query: Query;
  /** The members that `{guid}` names. */
  readonly guids: Guids;
  readonly siteTime: SiteTime;
}

export interface PerformOptions {
  readonly db: Database;
  readonly publicUrl: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export type Perform = (ask: Ask, admitted: Admitted) => Promise<Performed>;

/**
 * Makes the function that does what an authorized request asks: every check of the contract's §4 after OAuth, in its order,
 * then the handler.
 */
export function createPerform({ db, publicUrl, now, random }: PerformOptions): Perform {
  const siteTimeOf = siteTimes();

  return async (ask, { requester, settings }) => {
    const { operationId, params, selector, hasBody } = ask;
    if (operationId === undefined || !isWorking(operationId)) throw notImplemented();
    refuseMissingExtension(operationId, settings);
    const query = parseQuery(ask.query, { pageSize: settings.pageSize, operationId });
    const guids = parseGuids(params.guid ?? '', requester.memberId);
    refuseMeaningless({ operationId, guids, hasBody });
    refuseForbidden(requester, { operationId, params, guids });
    const { method, topic } = operation(operationId);
    const body = method === 'POST' ? ask.readBody(topic) : null;
    const siteTime = siteTimeOf(settings.timeZone);
    const asked = { requester, settings, siteTime, params, selector, guids, query, body };
    const result = await handlers[operationId]({ db, publicUrl, nowMs: now(), random, ...asked });
    return { operationId, result, query, guids, siteTime };
  };
}

function notImplemented(): SocialError {
  return new SocialError('NOT_IMPLEMENTED', 'This operation is listed, but does not work.');
}

function siteTimes(): (timeZone: string) => SiteTime {
  let last: { readonly timeZone: string; readonly siteTime: SiteTime } | undefined;
  return (timeZone) => {
    if (last?.timeZone !== timeZone) last = { timeZone, siteTime: createSiteTime(timeZone) };
    return last.siteTime;
  };
}
