import { readFileSync, statSync } from 'node:fs';
import { SocialError } from '@gantry/wire';
import { readTape } from './read-tape.ts';
import { type Tape, tapeBounds } from './tape.ts';

/** Reads a tape from a file. @throws SocialError BAD_REQUEST with one sentence if there is none. */
export function readTapeFile(path: string): Tape {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SocialError('BAD_REQUEST', `There is no file ${path}.`);
  if (!stats.isFile()) throw new SocialError('BAD_REQUEST', `${path} is no file.`);
  // Before it is read: a character has at most four bytes.
  if (stats.size > tapeBounds.characters * 4) throw new SocialError('BAD_REQUEST', `${path} is too large for a tape.`);
  return readTape(readFileSync(path, 'utf8'));
}
