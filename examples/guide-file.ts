import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const guides = join(import.meta.dirname, '../docs/guides');

/**
 * Returns the file that a guide gives in full: the code block after a line that is nothing but its name, as **`site.conf`**.
 *
 * @throws Error if the guide has no such block.
 */
export function guideFile(guide: string, name: string): string {
  const found = guideFiles(guide).get(name);
  if (found === undefined) throw new Error(`docs/guides/${guide} has no block for ${name}.`);
  return found;
}

/** Returns all files that a guide gives in full, by name. */
export function guideFiles(guide: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(guides, guide), 'utf8');
  const blocks = text.matchAll(/^\*\*`([^`\n]+)`\*\*[^\n]*\n\n```\w*\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name = '', body = '']) => [name, body]));
}
