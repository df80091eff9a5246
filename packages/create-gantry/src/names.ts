import { basename } from 'node:path';

export interface GadgetNames {
  /** Id of the app and name of its folder. */
  readonly id: string;
  /** Title, as members read it. */
  readonly title: string;
}

/** Folders of builds and sources, and names reserved by npm or a system. */
const reserved = /^(dist|build|out|public|src|app|node_modules|con|prn|aux|nul|com\d|lpt\d)$/i;

/** Ids that every tool accepts: folders, URLs and package names contain them. */
const idPattern = /^[A-Za-z]\w*(-\w+)*$/;

/** Derives id and title from a folder's name; `undefined` if it contains no valid id. */
export function namesFor(folder: string): GadgetNames | undefined {
  const name = basename(folder).replace(control, ' ').replace(/ +/g, ' ').trim();
  const isId = name.length <= 64 && idPattern.test(name);
  const id = isId ? name : slug(name);
  if (id === '' || reserved.test(id)) return undefined;
  const words = name.replace(/[-_]+/g, ' ').trim();
  return { id, title: isId ? words.slice(0, 1).toUpperCase() + words.slice(1) : name.slice(0, 100) };
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

/** Characters that move a cursor, change the direction of text or end a line. */
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns a foreign name with control characters escaped, for a terminal. */
export function shown(text: string): string {
  return text.replace(control, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
