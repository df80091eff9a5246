import type { TapeAnswer } from '@gantry/dev/protocol';
import { messageOf } from '../lab-client.ts';

/**
 * Fetches the tape that the dev host was started with. @throws Error with the server's own
 * sentence.
 */
export function fetchOpenedTape(): Promise<TapeAnswer> {
  return ask({ method: 'GET' });
}

/**
 * Makes the server read a tape, which it does not store.
 *
 * @throws Error with the server's own sentence.
 */
export async function readTapeOf(file: Blob): Promise<TapeAnswer> {
  if (file.size > mostBytes) throw new Error('This is no tape: it has more than 64 MiB.');
  return ask({ method: 'POST', body: await file.text() });
}

const mostBytes = 64 * 1024 * 1024;

async function ask(init: RequestInit): Promise<TapeAnswer> {
  const response = await fetch('/dev/tape', init).catch((cause: unknown) => {
    throw new Error('gantry does not answer. Start it again.', { cause });
  });
  const text = await response.text();
  if (!response.ok) throw new Error(messageOf(text) ?? `gantry answered ${response.status}.`);
  return JSON.parse(text) as TapeAnswer;
}
