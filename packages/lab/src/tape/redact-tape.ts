import { createRedactValue } from './redact-value.ts';
import { createStandIns } from './stand-ins.ts';
import type { Tape, TapeEntry, TapeHead } from './tape.ts';

/** Replaces what says who somebody is or what somebody wrote, line by line. */
export interface Redactor {
  /** Call it first, and once. */
  head(head: TapeHead): TapeHead;
  entry(entry: TapeEntry): TapeEntry;
}

/** Time of the first entry of a redacted tape: 1 January 2026, 12:00 UTC. */
export const redactedStartMs = Date.UTC(2026, 0, 1, 12);

/** Makes a redactor for one tape, for a tape that is written while things happen. */
export function createRedactor(): Redactor {
  const standIns = createStandIns();
  let shiftMs = 0;
  let app = '';
  const value = createRedactValue({ standIns, shiftMs: () => shiftMs, app: () => app });

  /** Members of our own that are numbers are counts, and times that are offsets. Values below them are the app's. */
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
    head(head) {
      app = head.app;
      shiftMs = redactedStartMs - head.startMs;
      const own = { tape: same, release: same, host: same, app: same, startMs: () => redactedStartMs };
      return { ...line(head, own), isRedacted: true };
    },
    entry: (entry) => line(entry, { kind: same, app: same, place, where: whereOf }),
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
 * Replaces names, texts, ids, addresses and times of a tape by stand-ins of the same shape, so that it replays alike and
 * nobody can be recognised. Structure, counts, the app's id and the words of the API stay.
 *
 * @example
 * writeTape(redactTape(createTape({ host: 'lab', app: 'notes', scenario: {} }, lab.record.entries)));
 */
export function redactTape(tape: Tape): Tape {
  const redactor = createRedactor();
  const head = redactor.head(tape.head);
  return { head, entries: tape.entries.map((entry) => redactor.entry(entry)) };
}
