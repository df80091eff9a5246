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
import type { Authenticated } from './authenticate.ts';
import type { Result } from './formats/result.ts';
import { parseGuids } from './guids.ts';
import type { Call } from './handlers/handler.ts';
import { handlers } from './handlers/handlers.ts';
import { parseQuery } from './query.ts';
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
  /** `Idempotency-Key`: names a write, however often it is sent. */
  readonly key?: string | undefined;
  /** Parses the body of a write on `topic`. @throws SocialError */
  readBody(topic: Topic): Json;
}

/** On whose behalf, under which settings. */
export interface Admitted {
  readonly requester: Authenticated;
  readonly settings: Settings;
}

/** A call that passed every check that needs no stored data. */
export type Prepared = Omit<Call, 'db'> & { readonly operationId: WorkingOperationId };

export interface PerformOptions {
  readonly db: Database;
  readonly publicUrl: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface Performer {
  /** Makes every check of the contract's §4 after OAuth that needs no stored data, in its order. @throws SocialError */
  prepare(ask: Ask, admitted: Admitted): Prepared;
  /** Does it. @throws SocialError */
  run(prepared: Prepared): Promise<Result>;
  /** Both. */
  readonly perform: Perform;
}

export type Perform = (ask: Ask, admitted: Admitted) => Promise<Result>;

/** Does what authorized requests ask. */
export function createPerformer({ db, publicUrl, now, random }: PerformOptions): Performer {
  const siteTimeOf = siteTimes();

  const performer: Performer = {
    prepare(ask, { requester, settings }) {
      const { operationId, params, selector, hasBody, key } = ask;
      if (operationId === undefined || !isWorking(operationId)) throw notImplemented();
      refuseMissingExtension(operationId, settings);
      const query = parseQuery(ask.query, { pageSize: settings.pageSize, operationId });
      const guids = parseGuids(params.guid ?? '', requester.memberId);
      refuseMeaningless({ operationId, guids, hasBody });
      refuseForbidden(requester, { operationId, params, guids, query });
      const { method, topic } = operation(operationId);
      const body = method === 'POST' ? ask.readBody(topic) : null;
      const siteTime = siteTimeOf(settings.timeZone);
      const asked = { operationId, requester, settings, siteTime, params, selector, guids, query, body, key };
      return { ...asked, publicUrl, nowMs: now(), random };
    },
    run: (prepared) => handlers[prepared.operationId]({ ...prepared, db }),
    perform: async (ask, admitted) => performer.run(performer.prepare(ask, admitted)),
  };
  return performer;
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
