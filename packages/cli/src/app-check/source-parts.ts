import { extname } from 'node:path';
import { maskJavaScript } from '../project/mask-code.ts';
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
  if (!/^\.(?:html?|vue|svelte)$/.test(ending)) {
    const { bare, code } = maskJavaScript(text);
    return { script: bare, markup: isWithTags(ending) ? code : '', style: code };
  }
  return pageParts(text);
}

function isWithTags(ending: string): boolean {
  return ending === '.jsx' || ending === '.tsx';
}

const element = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b([^<>]*)>([\s\S]*?)(?:<\/\1\s*>|$)/gi;
const styleAttribute = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const eventAttribute = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

function pageParts(text: string): SourceParts {
  const script: string[] = [];
  const style: string[] = [];
  const markup: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: name = '', 2: attributes = '', 3: content = '', index } of text.matchAll(element)) {
    pushMarkup(text.slice(at, index));
    const head = name === '' ? '' : `<${name}${attributes}>`;
    const tail = whole.length - head.length - content.length;
    const isScript = name.toLowerCase() === 'script';
    markup.push(head, blank(whole.slice(head.length)));
    script.push(blank(head), isScript && !isData(attributes) ? maskJavaScript(content).bare : blank(content));
    style.push(blank(head), name !== '' && !isScript ? withoutComments(content) : blank(content));
    const rest = blank(whole.slice(whole.length - tail));
    script.push(rest);
    style.push(rest);
    at = index + whole.length;
  }
  pushMarkup(text.slice(at));
  return { script: script.join(''), markup: markup.join(''), style: style.join('') };

  function pushMarkup(part: string): void {
    markup.push(part);
    style.push(valuesIn(part, styleAttribute, withoutComments));
    script.push(valuesIn(part, eventAttribute, (code) => maskJavaScript(code).bare));
  }
}

/** Returns whether a script element holds data. */
function isData(attributes: string): boolean {
  return /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript)[\w-]/i.test(attributes);
}

/** Blanks all but the values of attributes. */
function valuesIn(markup: string, attribute: RegExp, read: (value: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: double, 2: single = '', index } of markup.matchAll(attribute)) {
    const value = double ?? single;
    const start = index + whole.length - 1 - value.length;
    parts.push(blank(markup.slice(at, start)), read(value));
    at = start + value.length;
  }
  parts.push(blank(markup.slice(at)));
  return parts.join('');
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, blank);
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
