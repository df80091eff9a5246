import { release } from '@gantry/wire';
import type { Entry } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import { tapeBounds, tapeVersion } from './tape-version.ts';

/** First line of a tape. */
export interface TapeHead {
  readonly tape: typeof tapeVersion;
  /** Release of Gantry that wrote it. */
  readonly release: string;
  /** Host that the app ran in: a lab in a browser or in Node, or a site that others run. */
  readonly host: 'lab' | 'mock' | 'site';
  readonly app: string;
  /** State in which the app was mounted. */
  readonly scenario: Scenario;
  /** Time of the first entry, in milliseconds since the epoch: what app and site saw as now. */
  readonly startMs: number;
  /** Names, texts and ids are stand-ins of the same shape. */
  readonly isRedacted: boolean;
  /** The test that left it. */
  readonly test?: { readonly title: string; readonly file?: string; readonly error?: string };
}

/** An entry of the record, with its time counted from the first one. */
export type TapeEntry = Entry extends infer One
  ? One extends Entry
    ? Omit<One, 'atMs' | 'lab'> & { readonly offsetMs: number }
    : never
  : never;

/** The record of one conversation between app and page as a file: a line of JSON for the head and for each entry. */
export interface Tape {
  readonly head: TapeHead;
  readonly entries: readonly TapeEntry[];
}

/** Makes a tape of entries of one gadget. */
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

/**
 * Returns the entries of a tape as those of a record.
 *
 * @param lab Name that they get.
 */
export function entriesOf({ head, entries }: Pick<Tape, 'head' | 'entries'>, lab: string): readonly Entry[] {
  let number = 0;
  return entries.map(({ offsetMs, ...rest }) => {
    number = Math.max(number + 1, rest.number); // no two are equal, whatever the file says
    return { ...rest, number, atMs: head.startMs + offsetMs, lab } as Entry;
  });
}

/** Writes a tape as text. An entry that no reader would take becomes one that says so. */
export function writeTape({ head, entries }: Tape): string {
  return [writeLine(head), ...entries.map(writeLine)].join('');
}

/** Writes one line of a tape. */
export function writeLine(line: TapeHead | TapeEntry): string {
  const text = JSON.stringify(line);
  if (text.length <= tapeBounds.lineLength || 'tape' in line) return `${text}\n`;
  const { number, offsetMs } = line;
  return `${JSON.stringify({ number, offsetMs, kind: 'left-out', count: 1 })}\n`;
}
