import { basename } from 'node:path';

/** Names of one gadget. */
export interface GadgetNames {
  /** Id of the app and name of its folder. */
  readonly id: string;
  /** Title, as members read it. */
  readonly title: string;
}

/** Folders of builds and sources, after which gantry dev names no app, and what npm or a system keeps for itself. */
const reserved = /^(dist|build|out|public|src|app|node_modules|con|prn|aux|nul|com\d|lpt\d)$/i;

/** Ids that are the same to each tool: gantry dev makes them of folders, and addresses and package names hold them. */
const idPattern = /^[A-Za-z]\w*(-\w+)*$/;

/**
 * Makes an id and a title out of the name that somebody gave a folder.
 *
 * @returns `undefined` for a name that leaves nothing for an id, or one that names no app.
 */
export function namesFor(folder: string): GadgetNames | undefined {
  const given = clean(basename(folder));
  const isId = given.length <= 64 && idPattern.test(given);
  const id = isId ? given : slug(given);
  if (id === '' || reserved.test(id)) return undefined;
  return { id, title: isId ? capitalized(given.replace(/[-_]+/g, ' ')) : given.slice(0, 100) };
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '') // ä is a with a mark
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .replace(/^(?=\d)/, 'gadget-')
    .slice(0, 64)
    .replace(/-$/, '');
}

function capitalized(text: string): string {
  const words = text.trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Characters that move a cursor, turn a line around or end it. */
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function clean(text: string): string {
  return text.replace(control, ' ').replace(/ +/g, ' ').trim();
}

/** Returns a name of others as a terminal may show it. */
export function shown(text: string): string {
  return text.replace(control, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
