import type { Entry } from '@gantry/lab';
import type { Call, LogLine, Refusal, ToldEvent } from './types.ts';

export type { Call, LogLine, Refusal, ToldEvent };

/** Puts the calls of a record together with their decisions and replies, in the order sent. */
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

export function eventsOf(entries: readonly Entry[]): readonly ToldEvent[] {
  return entries.flatMap((entry) =>
    entry.kind === 'event' ? { name: entry.name, data: entry.data, atMs: entry.atMs } : [],
  );
}

export function logsOf(entries: readonly Entry[]): readonly LogLine[] {
  return entries.flatMap((entry) => (entry.kind === 'console' ? { level: entry.level, text: entry.text } : []));
}

export function refusalsOf(entries: readonly Entry[]): readonly Refusal[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'refusal') return { kind: entry.kind, message: entry.error.message, entry };
    if (entry.kind === 'policy') {
      return { kind: entry.kind, message: `${entry.directive} does not allow ${entry.blocked}.`, entry };
    }
    if (entry.kind === 'sandbox') return { kind: entry.kind, message: `The sandbox ignores ${entry.name}.`, entry };
    if (entry.kind === 'limit') return { kind: entry.kind, message: `The limit ${entry.limit} was reached.`, entry };
    return [];
  });
}
