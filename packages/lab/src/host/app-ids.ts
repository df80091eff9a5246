import { basename, dirname, join, resolve } from 'node:path';
import { isBuildFolder } from '@gantry/server';
import { readRegularFile } from '@gantry/store';

/** Names an app by its folder, or by its project if that is `src`, `dist` or the like. */
export function appIdOf(folder: string): string {
  const path = resolve(folder);
  const name = basename(path);
  if (name !== '' && !isNameless(name)) return idOf(name);
  const project = dirname(path);
  return idOf(packageName(path) ?? packageName(project) ?? (isNameless(basename(project)) ? '' : basename(project)));
}

/** Names several apps. Equal names get the name of the parent folder as a prefix. */
export function appIds(folders: readonly string[]): readonly string[] {
  const ids = folders.map(appIdOf);
  const taken = new Set<string>();
  return folders.map((folder, index) => {
    const id = ids[index] as string;
    const isAlone = ids.indexOf(id) === ids.lastIndexOf(id);
    const clear = isAlone ? id : idOf(`${basename(dirname(resolve(folder)))}-${id}`);
    let free = clear;
    for (let number = 2; taken.has(free); number += 1) free = `${clear.slice(0, 60)}-${number}`;
    taken.add(free);
    return free;
  });
}

function isNameless(name: string): boolean {
  return isBuildFolder(name) || name === 'src' || name === 'app';
}

/** Turns a name into an id: letters, digits and hyphens, with a letter first. */
export function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 64);
  return id === '' || isBuildFolder(id) ? 'gadget' : id;
}

const mostBytes = 1_000_000;

function packageName(folder: string): string | undefined {
  try {
    const text = readRegularFile(join(folder, 'package.json'), mostBytes) ?? '{}';
    const { name } = JSON.parse(String(text)) as { readonly name?: unknown };
    return typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : undefined;
  } catch {
    return undefined;
  }
}
