import { signRequest } from '@gantry/oauth';
import { every as repeat } from '@gantry/store';
import { parseJson, SocialError } from '@gantry/wire';
import type { Consumer } from '../apps/registrations.ts';
import type { Ports } from '../ports.ts';
import { createRandom } from '../random.ts';
import { createHttpUpstream } from '../upstream/http-upstream.ts';
import type { Upstream, UpstreamAnswer } from '../upstream/upstream.ts';
import {
  dueReports,
  findReport,
  type InstallReport,
  markFailed,
  markReported,
  reportDecision,
  reportUse,
} from './install-reports.ts';
import type { AppUse, Installs } from './installs.ts';

/** The address and key of the other Gantry, and the ports of the reporter. */
export interface InstallReporterOptions
  extends Pick<Ports, 'db' | 'log'>,
    Partial<Pick<Ports, 'now' | 'random' | 'every'>> {
  /** URL of the other Gantry's `/gantry/admin/records`. */
  readonly recordsUrl: string;
  /** Administrator that acts for any member. Stays inside this package (security rule 8). */
  readonly consumer: Consumer;
  readonly upstream?: Upstream;
}

/** Installs that are reported to another Gantry. */
export interface InstallReporter extends Installs {
  /** Sends the reports that are due. Runs by itself each second. Never rejects. */
  sendDue(): Promise<void>;
  close(): void;
}

const recordsPerPost = 50;
const deadlineMs = 5_000;
const sendEveryMs = 1_000;
const firstDelayMs = 1_000;
const longestDelayMs = 5 * 60_000;

type Outcome = 'accepted' | 'refused' | 'failed';

/**
 * Reports to another Gantry which members have which apps, by `POST /gantry/admin/records`. Reports
 * are stored with their decisions and retried, by any process, until they are accepted. They carry
 * their time, so that a late one changes nothing.
 */
export function createInstallReporter(options: InstallReporterOptions): InstallReporter {
  const { db, recordsUrl, consumer, log, upstream = createHttpUpstream() } = options;
  const { now = Date.now, random = createRandom(), every = repeat } = options;
  const sending = new Map<string, Promise<Outcome>>();
  let run: Promise<void> | undefined;
  let restUntilMs = 0;
  let failures = 0;
  let sentCount = 0;
  const stop = every(() => void sendDue(), sendEveryMs);

  async function post(reports: readonly InstallReport[]): Promise<UpstreamAnswer> {
    const request = { method: 'POST', url: recordsUrl, body: JSON.stringify(reports.map(recordOf)) } as const;
    const nonce = Buffer.from(random(16)).toString('hex');
    const { authorization } = signRequest({ ...request, consumer, timestamp: Math.floor(now() / 1000), nonce });
    const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
    return upstream({ ...request, rawTarget: new URL(recordsUrl).pathname, headers }, { deadlineMs });
  }

  /** Sends reports, each of another install, as one request and stores the outcomes. */
  async function send(reports: readonly InstallReport[]): Promise<readonly Outcome[]> {
    const answer = await post(reports).catch(() => undefined);
    const outcomes = outcomesOf(answer, reports.length);
    const failed = outcomes.filter((outcome) => outcome !== 'accepted').length;
    if (failed > 0)
      log.error({ status: answer?.status, reports: failed }, 'the site did not accept reports of installs');
    for (const [index, report] of reports.entries()) {
      const outcome = outcomes[index] as Outcome;
      const dueAtMs = now() + delayOf(report.tries);
      if (outcome === 'accepted') await markReported(db, report);
      // Failed only because of a bad report beside it: it is sent again at once.
      else if (outcome === 'failed' && answer?.status === 400) continue;
      else await markFailed(db, report, { dueAtMs, isRefused: outcome === 'refused' });
    }
    return outcomes;
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const nowMs = now();
      if (nowMs < restUntilMs) return;
      const due = await dueReports(db, { nowMs, most: recordsPerPost });
      if (due.length === 0) return;
      const outcomes = await send(due);
      const isAway = outcomes.every((outcome) => outcome === 'failed');
      failures = isAway ? failures + 1 : 0;
      restUntilMs = isAway ? now() + delayOf(failures - 1) : 0;
    }
  }

  function sendDue(): Promise<void> {
    run ??= sendAll()
      .catch((err: unknown) => log.error({ err }, 'installs could not be reported'))
      .finally(() => {
        run = undefined;
      });
    return run;
  }

  /** Sends one report. Concurrent callers share the request. */
  function sendOne(report: InstallReport): Promise<Outcome> {
    const key = JSON.stringify([report.viewer, report.app_id, report.changed_at_ms, report.removes_data]);
    const running = sending.get(key);
    if (running !== undefined) return running;
    const sent = send([report])
      .then(([outcome]) => outcome as Outcome)
      .finally(() => {
        sending.delete(key);
        sentCount += 1;
      });
    sending.set(key, sent);
    return sent;
  }

  /** Reads the report of an install; again if it may have been sent since its row was read. */
  async function findCurrent(use: AppUse): Promise<InstallReport | undefined> {
    for (;;) {
      const before = sentCount;
      const report = await findReport(db, use);
      if (report?.is_pending !== 1 || sentCount === before) return report;
    }
  }

  async function ensureReported(use: AppUse): Promise<void> {
    let report = await findCurrent(use);
    if ((report === undefined || report.is_ended === 1) && use.granted.length > 0) {
      await reportUse(db, use);
      report = await findCurrent(use);
    }
    // Once, or twice if data is deleted first.
    for (let times = 0; times < 2 && report?.is_pending === 1; times++) {
      const isResting = report.tries > 0 && report.due_at_ms > now();
      const outcome = isResting ? (report.is_refused === 1 ? 'refused' : 'failed') : await sendOne(report);
      if (outcome === 'refused') return; // the site decides on the write
      if (outcome === 'failed') {
        const message = 'The install of this app cannot be reported to the site at the moment.';
        throw new SocialError('UNAVAILABLE', message, { retryAfter: 1 });
      }
      report = await findCurrent(use);
    }
  }

  return { withDecision: reportDecision, ensureReported, sendDue, close: stop };
}

/** Converts a report to a record of the world file, without hosts, which the API does not know. */
function recordOf({ viewer, app_id: appId, permissions, removes_data: removes, changed_at_ms: atMs }: InstallReport) {
  const install = { kind: 'install', appId, memberId: viewer, changedAt: new Date(atMs).toISOString() };
  if (removes === 1) return { ...install, removed: true, removesData: true };
  if (permissions === null) return { ...install, removed: true };
  const names = permissions.split(' ').filter((name) => name !== '' && !/^(host|server):/.test(name));
  return { ...install, permissions: names };
}

/** Returns the outcome of each report. A request is accepted as a whole or not at all. */
function outcomesOf(answer: UpstreamAnswer | undefined, count: number): readonly Outcome[] {
  const all = (outcome: Outcome) => new Array<Outcome>(count).fill(outcome);
  if (answer === undefined) return all('failed');
  const { status, text } = answer;
  if (status >= 200 && status < 300) return all('accepted');
  if (status < 400 || status >= 500 || status === 408 || status === 429) return all('failed');
  const bad = status === 400 ? badIndexes(text) : [];
  if (bad.length === 0) return all('refused');
  return all('failed').map((outcome, index) => (bad.includes(index) ? 'refused' : outcome));
}

function badIndexes(text: string): readonly number[] {
  try {
    const { error } = parseJson(text) as { readonly error?: { readonly errors?: readonly { index?: unknown }[] } };
    return (error?.errors ?? []).flatMap(({ index }) => (Number.isInteger(index) ? [Number(index)] : []));
  } catch {
    return [];
  }
}

function delayOf(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries, 20));
}
