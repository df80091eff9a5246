import { isRecord, type Observed, type WireError } from '@gantry/wire';
import type { Tape, TapeEntry } from '../tape/tape.ts';

/** A reply or a pushed result of a call. */
export type TapedReply = { readonly ok: unknown } | { readonly error: WireError };

interface Timed {
  readonly offsetMs: number;
}

/** A call that the app has to make. */
export interface CallStep extends Timed {
  readonly kind: 'call';
  /** Counts the calls of the tape, from 1, over all its mounts. */
  readonly number: number;
  readonly operation: string;
  readonly params: unknown;
}

type DecisionEntry = Extract<Observed, { kind: 'decision' }>;
export type Decision = DecisionEntry['decision'];

/** A step of a tape, which the replay causes or the app takes. */
export type Step =
  | CallStep
  | (Timed & { readonly kind: 'reply' | 'push'; readonly call: CallStep; readonly reply: TapedReply })
  /** The page's decision about a call: from its cache, or asked. */
  | (Timed & Pick<DecisionEntry, 'kind' | 'decision' | 'ageMs'> & { readonly call: CallStep })
  /** The app greets: a document of it has loaded. `load` counts them, from 1. */
  | (Timed & { readonly kind: 'handshake'; readonly load: number; readonly context: Context })
  | (Timed & { readonly kind: 'context'; readonly context: Context })
  | (Timed & { readonly kind: 'event'; readonly name: string; readonly data: unknown });

export type Context = Readonly<Record<string, unknown>>;

/** Events that a site causes. The page of the replay causes `visibility` and `teardown` itself. */
const siteEvents: ReadonlySet<string> = new Set(['write', 'rollback']);

/** Returns the steps of a tape in recorded order, without entries for people and tools. */
export function stepsOf({ entries, head }: Tape): readonly Step[] {
  const first = entries.find((entry) => isOf(entry, head.app) && entry.kind === 'call');
  const place = (first ?? entries.find((entry) => isOf(entry, head.app)))?.place;
  const calls = new Map<number, CallStep>(); // a second mount restarts the numbers
  const steps: Step[] = [];
  let number = 0;
  let loads = 0;
  let offsetMs = 0;
  let isGreeting = false;
  for (const entry of entries) {
    offsetMs = Math.max(offsetMs, Number.isFinite(entry.offsetMs) ? entry.offsetMs : 0); // a batch may arrive late
    if (!isOf(entry, head.app) || entry.place !== place) continue;
    if (entry.kind === 'call') {
      number += 1;
      const step = { kind: entry.kind, offsetMs, number, operation: entry.operation, params: entry.params };
      calls.set(entry.call, step);
      steps.push(step);
    } else if (entry.kind === 'reply' || entry.kind === 'push') {
      const call = calls.get(entry.call);
      const reply = entry.error ? { error: entry.error } : { ok: entry.ok ?? null };
      if (call) steps.push({ kind: entry.kind, offsetMs, call, reply });
    } else if (entry.kind === 'decision') {
      const { kind, decision, ageMs } = entry;
      const call = calls.get(entry.call);
      if (call) steps.push({ kind, offsetMs, call, decision, ...(ageMs !== undefined && { ageMs }) });
    } else if (entry.kind === 'handshake') isGreeting = true;
    else if (entry.kind === 'context') {
      const context = isRecord(entry.context) ? { ...entry.context } : {};
      if (isGreeting) {
        loads += 1;
        steps.push({ kind: 'handshake', offsetMs, load: loads, context });
      } else steps.push({ kind: entry.kind, offsetMs, context });
      isGreeting = false;
    } else if (entry.kind === 'event' && siteEvents.has(entry.name)) {
      steps.push({ kind: entry.kind, offsetMs, name: entry.name, data: entry.data });
    }
  }
  return steps;
}

function isOf(entry: TapeEntry, app: string): boolean {
  return entry.app === app && entry.place !== undefined;
}
