// Separate entry: its types need those of Vite, an optional dependency.
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@gantry/server';
import { openFile } from '@gantry/store';

export type ViteModule = typeof import('vite');

const oldestMajor = 7;

/**
 * Loads the Vite of an app, or else the one installed with this package.
 *
 * @throws UsageError with the command that installs it, if Vite is missing or too old.
 */
export async function loadVite(folder: string): Promise<ViteModule> {
  const path = resolveFrom(join(folder, 'package.json')) ?? resolveFrom(import.meta.filename);
  if (path === undefined) {
    throw new UsageError(`${folder} has to be built, and Vite is not installed: npm install --save-dev vite`);
  }
  const vite: ViteModule = await import(pathToFileURL(path).href);
  if (Number.parseInt(vite.version, 10) < oldestMajor) {
    throw new UsageError(
      `${folder} has Vite ${vite.version}; gantry dev needs Vite ${oldestMajor} or newer: npm install --save-dev vite@latest`,
    );
  }
  return vite;
}

function resolveFrom(file: string): string | undefined {
  try {
    return createRequire(file).resolve('vite');
  } catch {
    return undefined;
  }
}

/**
 * Returns whether an app's folder holds sources that a browser cannot run: it has a `vite.config`,
 * or one of its pages has module scripts in TypeScript, JSX or Vue, or modules with bare imports.
 *
 * @param pages Paths of its pages, relative to the folder.
 */
export async function needsVite(folder: string, pages: readonly string[]): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  if (names.some((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))) return true;
  for (const page of new Set(pages)) {
    const html = await readText(folder, page);
    if (await hasSources(folder, html)) return true;
  }
  return false;
}

async function hasSources(folder: string, html: string): Promise<boolean> {
  const scripts = scriptsOf(html);
  const isMap = /\btype\s*=\s*["']?importmap/i;
  if (scripts.some(({ attributes }) => isMap.test(attributes))) return false; // the page resolves bare names itself
  for (const { attributes, text } of scripts) {
    if (!/\btype\s*=\s*["']?module\b/i.test(attributes)) continue;
    const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(attributes)?.slice(1).find(Boolean);
    if (source === undefined) {
      if (importsBare(text)) return true;
      continue;
    }
    if (/^[a-z]+:|^\/\/|^\/gantry\//i.test(source)) continue;
    const path = source.replace(/[?#].*$/s, '');
    if (/\.(?:[cm]?tsx?|jsx|vue|svelte)$/i.test(path)) return true;
    if (importsBare(await readText(folder, path))) return true;
  }
  return false;
}

/** Returns a file's text; an empty one for what is no readable file of the folder. */
async function readText(folder: string, path: string): Promise<string> {
  const file = await openFile(path, { below: folder }).catch(() => undefined);
  return (await file?.readStart(mostBytes))?.toString() ?? '';
}

const mostBytes = 1_000_000;

/** Returns the scripts of a page, which is read once. */
function scriptsOf(html: string): readonly { readonly attributes: string; readonly text: string }[] {
  const scripts = [];
  const [opening, closing] = [/<script\b/gi, /<\/script/gi];
  while (opening.test(html)) {
    const end = html.indexOf('>', opening.lastIndex);
    if (end < 0) break;
    closing.lastIndex = end + 1;
    const close = closing.exec(html)?.index ?? html.length;
    scripts.push({ attributes: html.slice(opening.lastIndex, end), text: html.slice(end + 1, close) });
    opening.lastIndex = close;
  }
  return scripts;
}

/** Returns whether a module imports by a package's name, which browsers cannot resolve. */
function importsBare(code: string): boolean {
  return /(?:^|[;}])[^\S\n\r\u2028\u2029]*(?:import|export)\b(?:[^"'`()]{0,2000}?\bfrom)?\s*["'](?![./]|[a-z]+:)[^"'\n]+["']/m.test(
    code,
  );
}
