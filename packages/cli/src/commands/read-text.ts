import { readFile } from 'node:fs/promises';
import { UsageError } from '@gantry/server';

/** Reads a file that a flag or word names. @throws UsageError if it cannot be read. */
export async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error) => {
    throw unreadable(file, error);
  });
}

export function unreadable(file: string, { code }: NodeJS.ErrnoException): UsageError {
  return new UsageError(`${file} cannot be read (${code}).`);
}
