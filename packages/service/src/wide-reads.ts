import { setImmediate as turn } from 'node:timers/promises';
import { createGate } from '@gantry/wire';

/** Runs work that makes a long text; a few at a time. */
export type WideReads = (work: () => Promise<string>) => Promise<string>;

const atOnce = 2;
const longCharacters = 64 * 1024;

/**
 * Creates the gate for wide reads of one process. With SQLite, reading and writing an answer is one
 * piece of work, and all requests whose nonces were stored together would be answered in one turn
 * of the event loop: seconds, with all answers in memory. Two run at once, and after a long one the
 * event loop gets a turn.
 */
export function createWideReads(): WideReads {
  const gate = createGate({ atOnce });
  return (work) =>
    gate(async () => {
      const text = await work();
      if (text.length > longCharacters) await turn();
      return text;
    });
}
