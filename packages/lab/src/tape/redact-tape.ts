import { createRedactValue } from './redact-value.ts';
import { createStandIns } from './stand-ins.ts';
import type { Tape } from './tape.ts';

/** Time of the first entry of a redacted tape: 1 January 2026, 12:00 UTC. */
const redactedStartMs = Date.UTC(2026, 0, 1, 12);

/**
 * Replaces names, texts, ids, addresses and times of a tape by stand-ins of the same shape: it
 * still replays, and identifies no person. Structure, counts, app id and words of the API stay.
 *
 * @example
 * const scenario = { persona: 'ada' };
 * const tape = redactTape(createTape({ host: 'lab', app: 'notes', scenario }, []));
 * tape.head.scenario.persona === 'ada'; // false
 */
export function redactTape({ head, entries }: Tape): Tape {
  const { app, startMs } = head;
  const value = createRedactValue({ standIns: createStandIns(), shiftMs: redactedStartMs - startMs, app });
  const same = (member: unknown): unknown => member;
  const ofHead = { tape: same, release: same, host: same, app: same, startMs: () => redactedStartMs };
  const ofEntry = { kind: same, app: same, place, where: (member: unknown) => line(member as object, {}) };
  return { head: { ...line(head, ofHead), isRedacted: true }, entries: entries.map((entry) => line(entry, ofEntry)) };

  /** Redacts the values of a line. Top-level numbers are counts and offsets, and stay. */
  function line<Line extends object>(whole: Line, own: Readonly<Record<string, (member: unknown) => unknown>>): Line {
    const members = Object.entries(whole).map(([name, member]): [string, unknown] => {
      const redact = own[name];
      if (redact) return [name, redact(member)];
      return [name, typeof member === 'number' ? member : value(member, name)];
    });
    return Object.fromEntries(members) as Line;
  }

  /** `MEMBER/APP#1`: the name of the app's place stays. */
  function place(member: unknown): unknown {
    const parts = String(member).split('/');
    return parts.map((part) => (isPlaceOf(app, part) ? part : value(part, 'id'))).join('/');
  }
}

function isPlaceOf(app: string, part: string): boolean {
  return part.startsWith(`${app}#`) && /^\d{1,9}$/.test(part.slice(app.length + 1));
}
