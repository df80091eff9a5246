import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { SocialError } from '@gantry/wire';
import type { Entry } from '../record.ts';
import { readTape } from './read-tape.ts';
import { createRedactor } from './redact-tape.ts';
import { createTape, type Tape, type TapeEntry, writeLine, writeTape } from './tape.ts';
import { tapeBounds } from './tape-version.ts';

/** A tape that is written while things happen. */
export interface TapeFile {
  readonly path: string;
  /** Writes an entry at once: what was added is in the file even if the process is killed. */
  add(entry: Entry): void;
  close(): void;
}

/**
 * Begins a tape as a file for its user only. The head is written with the first entry. At the bounds of a tape it ends.
 *
 * @example
 * const file = openTapeFile({ path: 'failure.tape', head: { host: 'lab', app: 'notes', scenario: {} } });
 * const stop = lab.record.subscribe(file.add);
 * @param options.isRedacted False writes names and texts as they were. Default: true.
 */
export function openTapeFile(options: {
  readonly path: string;
  readonly head: Parameters<typeof createTape>[0];
  readonly isRedacted?: boolean;
}): TapeFile {
  const { path, head, isRedacted = true } = options;
  rmSync(path, { force: true }); // its mode would stay
  const file = openSync(path, 'wx', 0o600);
  const redactor = isRedacted ? createRedactor() : undefined;
  let startMs: number | undefined;
  let left: number = tapeBounds.characters;
  let entries = 0;
  let isOpen = true;

  function write(text: string): void {
    if (text.length > left) {
      end();
      return;
    }
    left -= text.length;
    writeSync(file, text);
  }

  function begin(entry?: Entry): void {
    if (startMs !== undefined) return;
    const { head: first } = createTape(head, entry ? [entry] : []);
    startMs = first.startMs;
    write(writeLine(redactor ? redactor.head(first) : first));
  }

  function end(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }

  return {
    path,
    add(entry) {
      if (!isOpen || entries === tapeBounds.entries) return;
      begin(entry);
      entries += 1;
      const { atMs, lab: _, ...rest } = entry;
      const line = { ...rest, offsetMs: atMs - (startMs ?? atMs) } as TapeEntry;
      if (isOpen) write(writeLine(redactor ? redactor.entry(line) : line));
    },
    close() {
      if (isOpen) begin();
      end();
    },
  };
}

/** Writes a whole tape as a file for its user only. */
export function writeTapeFile(path: string, tape: Tape): void {
  rmSync(path, { force: true });
  writeFileSync(path, writeTape(tape), { mode: 0o600, flag: 'wx' });
}

/**
 * Reads a tape from a file.
 *
 * @throws SocialError BAD_REQUEST with one sentence for a file that cannot be read or is no tape.
 */
export function readTapeFile(path: string): Tape {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SocialError('BAD_REQUEST', `There is no file ${path}.`);
  if (!stats.isFile()) throw new SocialError('BAD_REQUEST', `${path} is no file.`);
  // Before anything is read: a character has four bytes at most.
  if (stats.size > tapeBounds.characters * 4) throw new SocialError('BAD_REQUEST', `${path} is too large for a tape.`);
  return readTape(readFileSync(path, 'utf8'));
}
