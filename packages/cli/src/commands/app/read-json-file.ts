import { readFile } from 'node:fs/promises';
import { UsageError } from '@gantry/server';

/** @throws UsageError for a file that cannot be read or holds no JSON object. */
export async function readJsonFile(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read.`, { cause });
  });
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // said below
  }
  throw new UsageError(`${file} must hold a JSON object.`);
}

/** The `name` of a manifest, where it has one. */
export function nameIn(manifest: object): string | undefined {
  return 'name' in manifest && typeof manifest.name === 'string' ? manifest.name : undefined;
}
