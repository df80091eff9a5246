import { createRedactValue } from './redact-value.ts';
import { createStandIns } from './stand-ins.ts';
import type { Tape, TapeEntry, TapeHead } from './tape.ts';

/** Time of the first entry of a redacted tape: 1 January 2026, 12:00 UTC. */
const redactedStartMs = Date.UTC(2026, 0, 1, 12);

/** Makes the functions that redact a tape's lines: `head` is called first, and once. */
function createRedactor() {
  const standIns = createStandIns();
  let shiftMs = 0;
  let app = '';
  const value = createRedactValue({ standIns, shiftMs: () => shiftMs, app: () => app });

  /** Redacts the values of a line. Top-level numbers are counts and offsets, and stay. */
  function line<Line extends object>(whole: Line, own: Readonly<Record<string, (member: unknown) => unknown>>): Line {
    const members = Object.entries(whole).map(([name, member]): [string, unknown] => {
      const redact = own[name];
      if (redact) return [name, redact(member)];
      return [name, typeof member === 'number' ? member : value(member, name)];
    });
    return Object.fromEntries(members) as Line;
  }

  const same = (member: unknown): unknown => member;
  return {
    head(head: TapeHead): TapeHead {
      app = head.app;
      shiftMs = redactedStartMs - head.startMs;
      const own = { tape: same, release: same, host: same, app: same, startMs: () => redactedStartMs };
      return { ...line(head, own), isRedacted: true };
    },
    entry: (entry: TapeEntry): TapeEntry => line(entry, { kind: same, app: same, place, where: whereOf }),
  };

  /** `MEMBER/APP#1`: the name of the app's place stays. */
  function place(member: unknown): unknown {
    const parts = String(member).split('/');
    return parts.map((part) => (isPlaceOf(app, part) ? part : value(part, 'id'))).join('/');
  }

  function whereOf(member: unknown): unknown {
    return line(member as Readonly<Record<string, unknown>>, {});
  }
}

function isPlaceOf(app: string, part: string): boolean {
  return part.startsWith(`${app}#`) && /^\d{1,9}$/.test(part.slice(app.length + 1));
}

/**
 * Replaces names, texts, ids, addresses and times of a tape by stand-ins of the same shape: it
 * replays alike, and identifies no one. Structure, counts, the app's id and the words of the API
 * stay.
 *
 * @example
 * const scenario = { persona: 'ada' };
 * const tape = redactTape(createTape({ host: 'lab', app: 'notes', scenario }, []));
 * tape.head.scenario.persona === 'ada'; // false
 */
export function redactTape(tape: Tape): Tape {
  const redactor = createRedactor();
  const head = redactor.head(tape.head);
  return { head, entries: tape.entries.map((entry) => redactor.entry(entry)) };
}
