import { setImmediate as turn } from 'node:timers/promises';

/** Lets the event loop go between long answers, however many were asked for at once. */
export interface Pace {
  /** Resolves when the next answer may be made; undefined for at once. */
  ready(): Promise<void> | undefined;
  /** Counts an answer of this many characters. */
  made(length: number): void;
}

/** Characters of answers that one turn of the event loop makes before the next ones wait for theirs. */
const mostOfTurn = 256 * 1024;

/**
 * Makes a pace for the answers of one process. With SQLite, reading and writing an answer is one piece of work, and requests
 * whose nonces were stored together would all be answered in one turn of the event loop: with long answers, seconds.
 */
export function createPace(nextTurn: () => Promise<unknown> = () => turn()): Pace {
  let length = 0;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function afterOthers(before: Promise<void>): Promise<void> {
    await before;
    await nextTurn();
    waiting--;
    length = 0;
  }

  return {
    ready() {
      if (waiting === 0 && length < mostOfTurn) return undefined;
      waiting++;
      last = afterOthers(last);
      return last;
    },
    made(characters) {
      length += characters;
    },
  };
}
