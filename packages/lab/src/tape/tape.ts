import { release, SocialError } from '@gantry/wire';
import type { Entry } from '../record.ts';
import type { Scenario } from '../scenario.ts';

/** Goes up when a tape changes so that an older reader would misread it. */
export const tapeVersion = 1;

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

/** Writes a tape as text. */
export function writeTape({ head, entries }: Tape): string {
  return [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads a tape. @throws SocialError BAD_REQUEST that names the line for text that is none. */
export function readTape(text: string): Tape {
  const lines = text.split('\n').filter((line) => line !== '');
  const [head, ...entries] = lines.map((line, index) => {
    try {
      return JSON.parse(line) as object;
    } catch (cause) {
      throw new SocialError('BAD_REQUEST', `Line ${index + 1} of the tape is no JSON.`, { cause });
    }
  });
  if (!head || !('tape' in head))
    throw new SocialError('BAD_REQUEST', 'This is no tape: its first line has no version.');
  return { head: head as TapeHead, entries: entries as unknown as readonly TapeEntry[] };
}
