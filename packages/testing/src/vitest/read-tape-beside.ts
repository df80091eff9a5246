import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readTape, type Tape } from '@gantry/lab/tape';

/**
 * Reads a tape whose path is relative to the file of a test. @throws Error for a file that is no
 * tape.
 */
export async function readTapeBeside(testPath: string | undefined, path: string): Promise<Tape> {
  const file = resolve(testPath === undefined ? '.' : dirname(testPath), path);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no tape ${path} beside the test.`, { cause });
  });
  return readTape(text);
}
