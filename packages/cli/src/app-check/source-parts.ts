import { extname } from 'node:path';
import { blank, maskJavaScript } from '../project/mask-code.ts';
import type { Source } from './sources.ts';

/** Parts of a file, each of the file's length, so that offsets are the same in all. */
export interface SourceParts {
  /** Scripts and event attributes, without comments and strings. */
  readonly script: string;
  /** Tags, without comments, and without scripts and styles. */
  readonly markup: string;
  /** Styles, without comments. */
  readonly style: string;
}

/** Splits a file into its languages: words in comments and strings are no calls. */
export function partsOf({ path, text }: Source): SourceParts {
  const ending = extname(path);
  if (ending === '.css') return { script: '', markup: '', style: withoutComments(text) };
  if (/^\.(?:html?|vue|svelte)$/.test(ending)) return pageParts(text);
  const { bare, code } = maskJavaScript(text);
  return { script: bare, markup: /^\.[jt]sx$/.test(ending) ? code : '', style: code };
}

const element = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b([^<>]*)>([\s\S]*?)(?:<\/\1\s*>|$)/gi;
const styleAttribute = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const eventAttribute = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** A part of a text that stays, with its comments masked. */
interface Region {
  readonly start: number;
  readonly text: string;
}

function pageParts(text: string): SourceParts {
  const rest = text.replace(element, blank);
  const scripts = valuesIn(rest, eventAttribute, scriptText);
  const styles = valuesIn(rest, styleAttribute, withoutComments);
  const tags: Region[] = [];
  for (const { 1: name, 2: attributes = '', 3: content = '', index } of text.matchAll(element)) {
    if (name === undefined) continue;
    const tag = `<${name}${attributes}>`;
    const start = index + tag.length;
    tags.push({ start: index, text: tag });
    if (name.toLowerCase() === 'style') styles.push({ start, text: withoutComments(content) });
    else if (!isData(attributes)) scripts.push({ start, text: scriptText(content) });
  }
  return { script: keep(scripts, blank(text)), markup: keep(tags, rest), style: keep(styles, blank(text)) };
}

/** Returns whether a script element holds data. */
function isData(attributes: string): boolean {
  return /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript)[\w-]/i.test(attributes);
}

function valuesIn(markup: string, attribute: RegExp, read: (value: string) => string): Region[] {
  return Array.from(markup.matchAll(attribute), ({ 0: whole, 1: double, 2: single = '', index }) => {
    const value = double ?? single;
    return { start: index + whole.length - 1 - value.length, text: read(value) };
  });
}

/** Puts regions into a text of which the rest is blank. */
function keep(regions: readonly Region[], blanked: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, text } of regions.toSorted((a, b) => a.start - b.start)) {
    parts.push(blanked.slice(at, start), text);
    at = start + text.length;
  }
  return parts.join('') + blanked.slice(at);
}

function scriptText(code: string): string {
  return maskJavaScript(code).bare;
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, blank);
}
