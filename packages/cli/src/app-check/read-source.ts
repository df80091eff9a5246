import { extname } from 'node:path';
import { readBraces, readMustaches } from './read-braces.ts';
import { readPage } from './read-page.ts';
import { type Plugins, readScripts } from './read-script.ts';
import { type Contents, createContents, styleUses, type Use } from './use.ts';

/** Contents of a file in the order of its text. */
export interface Reading {
  readonly uses: readonly Use[];
  readonly problems: Contents['problems'];
  /** Names that its scripts add to the window. */
  readonly globals: readonly string[];
}

const newer: Plugins = ['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'];

/** Reads a page, component, script or style. */
export function readSource({ path, text }: { readonly path: string; readonly text: string }): Reading {
  const ending = extname(path).slice(1);
  if (ending === 'css') return { uses: styleUses({ text, at: 0 }), problems: [], globals: [] };
  const isComponent = /^(?:vue|svelte)$/.test(ending);
  const language = isComponent ? (/<script\b[^<>]{0,200}\blang=["']?(\w+)/.exec(text)?.[1] ?? 'js') : ending;
  const plugins = [...newer];
  if (language.includes('ts')) plugins.push('typescript');
  if (!/^m?ts$/.test(language)) plugins.push('jsx');
  const contents = createContents();
  const page =
    ending === 'svelte' ? readBraces(text, plugins, contents) : ending === 'vue' ? readMustaches(text, contents) : text;
  if (isComponent || /^html?$/.test(ending)) readPage({ text: page, at: 0 }, contents, isComponent);
  else contents.scripts.push({ text, at: 0 });
  const { globals, markup } = readScripts(contents, text, plugins);
  const readings = [contents];
  // templates of scripts have handlers, which may have templates
  for (let parts = markup; parts.length > 0; ) {
    const templates = createContents();
    for (const part of parts) readPage(part, templates);
    parts = readScripts(templates, text, plugins).markup;
    readings.push(templates);
  }
  return {
    uses: readings.flatMap(({ uses }) => uses).sort((a, b) => a.at - b.at),
    problems: contents.problems.sort((a, b) => a.at - b.at),
    globals: isComponent ? [] : globals,
  };
}
