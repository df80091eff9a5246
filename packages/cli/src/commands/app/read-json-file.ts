import { readFile } from 'node:fs/promises';
import { UsageError } from '@gantry/server';

/** Reads a JSON object from a file. @throws UsageError if it cannot be read or holds none. */
export async function readJsonFile(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read.`, { cause });
  });
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // thrown below
  }
  throw new UsageError(`${file} must hold a JSON object.`);
}

/** Returns the `name` of a manifest, if any. */
export function nameIn(manifest: object): string | undefined {
  return 'name' in manifest && typeof manifest.name === 'string' ? manifest.name : undefined;
}
