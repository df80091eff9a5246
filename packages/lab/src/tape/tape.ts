import { release } from '@gantry/wire';
import type { Entry } from '../record/entry.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Expectation } from './expectation.ts';

/** Increases when an older reader would misread a tape. New members do not: readers ignore them. */
export const tapeVersion = 1;

/** Bounds of a tape that is read or written. */
export const tapeBounds = {
  characters: 64 * 1024 * 1024,
  lineLength: 8 * 1024 * 1024,
  entries: 100_000,
  /** Levels of nesting of a line's JSON. */
  depth: 72,
} as const;

/** First line of a tape. */
export interface TapeHead {
  readonly tape: typeof tapeVersion;
  /** Release of Gantry that wrote it. */
  readonly release: string;
  /** Host of the app: a lab in a browser, a lab in Node, or a running site. */
  readonly host: 'lab' | 'mock' | 'site';
  readonly app: string;
  /** State in which the app was mounted. */
  readonly scenario: Scenario;
  /** Time of the first entry, in milliseconds since the epoch: what app and site saw as now. */
  readonly startMs: number;
  /** Names, texts and ids are stand-ins of the same shape. */
  readonly isRedacted: boolean;
  /** The failed test that wrote the tape. */
  readonly test?: {
    readonly title: string;
    readonly file?: string;
    /** Line of the file at which it failed. */
    readonly line?: number;
    readonly error?: string;
    readonly expectation?: Expectation;
  };
}

/** An entry of the record, with its time counted from the first one. */
export type TapeEntry = Entry extends infer One
  ? One extends Entry
    ? Omit<One, 'atMs' | 'lab'> & { readonly offsetMs: number }
    : never
  : never;

/** The recorded conversation of app and page; in a file, one line of JSON for each entry. */
export interface Tape {
  readonly head: TapeHead;
  readonly entries: readonly TapeEntry[];
}

/** Makes a tape of the entries of one gadget. */
export function createTape(
  head: Omit<TapeHead, 'tape' | 'release' | 'isRedacted' | 'startMs'>,
  entries: readonly Entry[],
): Tape {
  const startMs = entries[0]?.atMs ?? 0;
  return {
    head: { tape: tapeVersion, release, ...head, startMs, isRedacted: false },
    entries: entries.map(({ atMs, lab, ...entry }) => ({ ...entry, offsetMs: atMs - startMs }) as TapeEntry),
  };
}

/** Returns the entries of a tape as those of a record, with `lab` as the name of the lab. */
export function entriesOf({ head, entries }: Pick<Tape, 'head' | 'entries'>, lab: string): readonly Entry[] {
  let number = 0;
  return entries.map(({ offsetMs, ...rest }) => {
    number = Math.max(number + 1, rest.number); // unique, even if the file repeats numbers
    return { ...rest, number, atMs: head.startMs + offsetMs, lab } as Entry;
  });
}

/** Writes a tape as text. An entry longer than readers accept becomes a `left-out`. */
export function writeTape({ head, entries }: Tape): string {
  return [writeLine(head), ...entries.map(writeLine)].join('');
}

function writeLine(line: TapeHead | TapeEntry): string {
  const text = JSON.stringify(line);
  if (text.length <= tapeBounds.lineLength || 'tape' in line) return `${text}\n`;
  const { number, offsetMs } = line;
  return `${JSON.stringify({ number, offsetMs, kind: 'left-out', count: 1 })}\n`;
}
