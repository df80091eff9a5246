import type { Entry } from '@gantry/lab';
import type { Call, LogLine, RecordView, Refusal, ToldEvent } from './types.ts';

export type { Call, LogLine, RecordView, Refusal, ToldEvent };

/**
 * Adds the members of a record view to an object. Each access reads the entries anew.
 *
 * @param latest Entries since the latest mount.
 * @param record Entries over all mounts. Default: `latest`.
 */
export function withRecordView<Other extends object>(
  other: Other,
  latest: () => readonly Entry[],
  record: () => readonly Entry[] = latest,
): Other & RecordView {
  const view: RecordView = {
    get record() {
      return record();
    },
    get calls() {
      return callsOf(latest());
    },
    get events() {
      return eventsOf(latest());
    },
    get logs() {
      return logsOf(latest());
    },
    get refusals() {
      return refusalsOf(latest());
    },
  };
  return Object.defineProperties(other, Object.getOwnPropertyDescriptors(view)) as Other & RecordView;
}

/** Returns the latest context that the page sent to the app. */
export function contextIn(entries: readonly Entry[]): Readonly<Record<string, unknown>> | undefined {
  const sent = entries.findLast((entry) => entry.kind === 'context');
  return sent?.kind === 'context' ? (sent.context as Readonly<Record<string, unknown>>) : undefined;
}

/** Returns the value of `gantry.state` that the app set last, or `first`. */
export function stateIn(entries: readonly Entry[], first?: unknown): unknown {
  const set = entries.findLast((entry) => entry.kind === 'action' && entry.name === 'state.set' && !entry.error);
  return set?.kind === 'action' && Array.isArray(set.params) ? set.params[0] : first;
}

/** Joins the calls of a record with their decisions and replies, in the order sent. */
export function callsOf(entries: readonly Entry[]): readonly Call[] {
  const calls = new Map<string, Call>();
  for (const entry of entries) {
    if (!('call' in entry)) continue;
    const key = JSON.stringify([entry.app, entry.place, entry.call]);
    if (entry.kind === 'call') {
      const { call: number, operation, params, atMs } = entry;
      calls.set(key, { number, operation, params, atMs, isSettled: false });
      continue;
    }
    const call = calls.get(key);
    if (!call) continue;
    if (entry.kind === 'decision') calls.set(key, { ...call, decision: entry.decision });
    if (entry.kind === 'reply') {
      const { tookMs, error, ok } = entry;
      calls.set(key, { ...call, isSettled: true, tookMs, ...(error ? { error } : { ok }) });
    }
  }
  return [...calls.values()];
}

/** Returns the events that the page sent to the app. */
export function eventsOf(entries: readonly Entry[]): readonly ToldEvent[] {
  return entries.flatMap((entry) =>
    entry.kind === 'event' ? { name: entry.name, data: entry.data, atMs: entry.atMs } : [],
  );
}

/** Returns the lines that the app wrote to its console. */
export function logsOf(entries: readonly Entry[]): readonly LogLine[] {
  return entries.flatMap((entry) => (entry.kind === 'console' ? { level: entry.level, text: entry.text } : []));
}

/** Returns what was refused to the app, each with a sentence. */
export function refusalsOf(entries: readonly Entry[]): readonly Refusal[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'refusal') return { kind: entry.kind, message: entry.error.message, entry };
    if (entry.kind === 'policy') {
      return { kind: entry.kind, message: `${entry.directive} does not allow ${entry.blocked}.`, entry };
    }
    if (entry.kind === 'sandbox')
      return { kind: entry.kind, message: `The sandbox does not allow ${entry.name}.`, entry };
    if (entry.kind === 'limit') return { kind: entry.kind, message: `The limit ${entry.limit} was reached.`, entry };
    return [];
  });
}
