import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const guides = join(import.meta.dirname, '../docs/guides');

/**
 * Returns the file that a guide gives in full: the code block after a line that is nothing but its
 * name, as **`site.conf`**.
 *
 * @throws Error if the guide has no such block.
 */
export function guideFile(guide: string, name: string): string {
  const body = guideFiles(guide).get(name);
  if (body === undefined) throw new Error(`docs/guides/${guide} has no block for ${name}.`);
  return body;
}

/** Returns all files that a guide gives in full, by name. */
export function guideFiles(guide: string): ReadonlyMap<string, string> {
  return new Map(blocksOf(guide).flatMap(({ name, body }) => (name === undefined ? [] : [[name, body]])));
}

/** Returns the commands of a guide, in its order. */
export function guideCommands(guide: string): readonly string[] {
  const shell = blocksOf(guide).filter(({ name, language }) => name === undefined && language === 'sh');
  return shell.flatMap(({ body }) => body.trim().split('\n'));
}

/** Writes the files of a guide into a folder, as its reader does. */
export function writeGuide(guide: string, folder: string): void {
  for (const [name, body] of guideFiles(guide)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), body);
  }
}

interface Block {
  /** Name of the file, where the guide gives one. */
  readonly name: string | undefined;
  readonly language: string;
  readonly body: string;
}

function blocksOf(guide: string): readonly Block[] {
  const text = readFileSync(join(guides, guide), 'utf8');
  const blocks = text.matchAll(/(?:^\*\*`([^`\n]+)`\*\*\n\n)?^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].map(([, name, language = '', body = '']) => ({ name, language, body }));
}
