import { signRequest } from '@gantry/oauth';
import { type Database, type Every, every as repeat } from '@gantry/store';
import { parseJson, SocialError } from '@gantry/wire';
import type { Log } from './calls.ts';
import type { AppUse, Having } from './having.ts';
import {
  dueReports,
  findReport,
  type HavingReport,
  reportDecision,
  reportFailed,
  reportTold,
  reportUse,
} from './having-log.ts';
import { createHttpUpstream } from './http-upstream.ts';
import { createRandom } from './random.ts';
import type { Consumer } from './registrations.ts';
import type { Upstream } from './upstream.ts';

export interface HavingReportsOptions {
  readonly db: Database;
  /** Address at which the other Gantry takes records. */
  readonly recordsUrl: string;
  /** Key of an administrator that may speak for any member. Stays inside this package (security rule 8). */
  readonly consumer: Consumer;
  readonly log: Log;
  readonly upstream?: Upstream;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  readonly every?: Every;
}

export interface HavingReports extends Having {
  /** Tells what is due. Called by itself each second. Never rejects. */
  tell(): Promise<void>;
  close(): void;
}

/** Records of one POST. */
const mostAtOnce = 50;
const deadlineMs = 5_000;
const tellEveryMs = 1_000;
const firstDelayMs = 1_000;
const longestDelayMs = 5 * 60_000;

type Outcome = 'told' | 'refused' | 'failed';

/**
 * Tells another Gantry which members have which apps, by `POST /gantry/admin/records`. What has to be told is stored with the
 * decision, is repeated until it is taken, by whichever process, and carries its time, so that a report that comes late
 * changes nothing.
 */
export function createHavingReports(options: HavingReportsOptions): HavingReports {
  const { db, recordsUrl, consumer, log, upstream = createHttpUpstream() } = options;
  const { now = Date.now, random = createRandom(), every = repeat } = options;
  const sending = new Map<string, Promise<Outcome>>();
  let telling: Promise<void> | undefined;
  let restUntilMs = 0;
  let failures = 0;
  const stop = every(() => void tell(), tellEveryMs);

  async function post(reports: readonly HavingReport[]): Promise<{ readonly status: number; readonly text: string }> {
    const body = JSON.stringify(reports.map(recordOf));
    const url = new URL(recordsUrl);
    const { authorization } = signRequest({
      method: 'POST',
      url: recordsUrl,
      consumer,
      body,
      timestamp: Math.floor(now() / 1000),
      nonce: Buffer.from(random(16)).toString('hex'),
    });
    const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
    return upstream({ method: 'POST', url: recordsUrl, rawTarget: url.pathname, headers, body }, { deadlineMs });
  }

  /** Sends reports of different members or apps as one request, and keeps how that went. */
  async function send(reports: readonly HavingReport[]): Promise<readonly Outcome[]> {
    const answer = await post(reports).catch(() => undefined);
    const outcomes = outcomesOf(answer, reports.length);
    const failed = outcomes.filter((outcome) => outcome !== 'told').length;
    if (failed > 0) log.error({ status: answer?.status, reports: failed }, 'the site did not take who has which app');
    for (const [index, report] of reports.entries()) {
      const outcome = outcomes[index] as Outcome;
      const dueAtMs = now() + delayOf(report.tries);
      if (outcome === 'told') await reportTold(db, report);
      // One that a bad one beside it held up is sent again at once.
      else if (outcome === 'failed' && answer?.status === 400) continue;
      else await reportFailed(db, report, { dueAtMs, isRefused: outcome === 'refused' });
    }
    return outcomes;
  }

  async function tellAll(): Promise<void> {
    for (;;) {
      const nowMs = now();
      if (nowMs < restUntilMs) return;
      const due = await dueReports(db, { nowMs, most: mostAtOnce });
      if (due.length === 0) return;
      const outcomes = await send(due);
      const isAway = outcomes.every((outcome) => outcome === 'failed');
      failures = isAway ? failures + 1 : 0;
      restUntilMs = isAway ? now() + delayOf(failures - 1) : 0;
    }
  }

  function tell(): Promise<void> {
    telling ??= tellAll()
      .catch((err: unknown) => log.error({ err }, 'who has which app could not be told'))
      .finally(() => {
        telling = undefined;
      });
    return telling;
  }

  /** Sends one report; callers at the same time share it. */
  function sendOne(report: HavingReport): Promise<Outcome> {
    const key = JSON.stringify([report.viewer, report.app_id, report.changed_at_ms, report.removes_data]);
    const known = sending.get(key);
    if (known !== undefined) return known;
    const sent = send([report])
      .then(([outcome]) => outcome as Outcome)
      .finally(() => sending.delete(key));
    sending.set(key, sent);
    return sent;
  }

  async function settled(use: AppUse): Promise<void> {
    let report = await findReport(db, use);
    if ((report === undefined || report.is_ended === 1) && use.granted.length > 0) {
      await reportUse(db, use);
      report = await findReport(db, use);
    }
    // What is pending is told once, or twice where data goes first.
    for (let times = 0; times < 2 && report?.is_pending === 1; times++) {
      const isResting = report.tries > 0 && report.due_at_ms > now();
      const outcome = isResting ? (report.is_refused === 1 ? 'refused' : 'failed') : await sendOne(report);
      if (outcome === 'refused') return; // the site says itself what it makes of the write
      if (outcome === 'failed') {
        throw new SocialError('UNAVAILABLE', 'The site cannot be told at the moment that the member has the app.', {
          retryAfter: 1,
        });
      }
      report = await findReport(db, use);
    }
  }

  return {
    decided: reportDecision,
    settled,
    tell,
    close: stop,
  };
}

/** Returns the report as a record of the site's world file. Places that the app loads from are nothing to its API. */
function recordOf({ viewer, app_id: appId, permissions, removes_data: removes, changed_at_ms: atMs }: HavingReport) {
  const install = { kind: 'install', appId, memberId: viewer, changedAt: new Date(atMs).toISOString() };
  if (removes === 1) return { ...install, removed: true, removesData: true };
  if (permissions === null) return { ...install, removed: true };
  const names = permissions.split(' ').filter((name) => name !== '' && !/^(host|server):/.test(name));
  return { ...install, permissions: names };
}

/** Outcome of each report. A request is taken as a whole or not at all. */
function outcomesOf(
  answer: { readonly status: number; readonly text: string } | undefined,
  count: number,
): readonly Outcome[] {
  const all = (outcome: Outcome) => new Array<Outcome>(count).fill(outcome);
  if (answer === undefined) return all('failed');
  const { status, text } = answer;
  if (status >= 200 && status < 300) return all('told');
  if (status < 400 || status >= 500 || status === 408 || status === 429) return all('failed');
  const bad = status === 400 ? badIndexes(text) : [];
  if (bad.length === 0) return all('refused');
  const outcomes = all('failed');
  for (const index of bad) if (index < count) outcomes[index] = 'refused';
  return outcomes;
}

function badIndexes(text: string): readonly number[] {
  try {
    const { error } = parseJson(text) as {
      readonly error?: { readonly errors?: readonly { readonly index?: unknown }[] };
    };
    return (error?.errors ?? []).flatMap(({ index }) => (Number.isInteger(index) ? [Number(index)] : []));
  } catch {
    return [];
  }
}

function delayOf(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries, 20));
}
