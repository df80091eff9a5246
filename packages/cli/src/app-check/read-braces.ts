import { wordsIn } from './read-page.ts';
import { expressionEnd, type Plugins, problemOf } from './read-script.ts';
import { type Contents, hole } from './use.ts';

const elsewhere = '<!--[^]*?(?:-->|$)|<(script|style)\\b[^>]*(?:>|$)[^]*?(?:</\\1|$)';

/** Adds each `{{ expression }}` of a Vue component, and returns it with holes for them. */
export function readMustaches(text: string, { scripts }: Contents): string {
  return text.replace(new RegExp(`${elsewhere}|\\{\\{([^]*?)(?:\\}\\}|$)`, 'g'), (all, _, content, at) => {
    if (content === undefined) return all;
    if (content.trim() !== '') scripts.push({ text: content, at: at + 2, isTemplate: true });
    return hole.repeat(all.length);
  });
}

/**
 * Adds each `{expression}` and head of a block of a Svelte component, and returns it with holes for
 * them. The compiler in the app's folder is not asked: it is the folder that is checked.
 */
export function readBraces(text: string, plugins: Plugins, { scripts, declared, problems }: Contents): string {
  const pieces: string[] = [];
  const next = new RegExp(`${elsewhere}|\\{\\s*(?:(?:([#:@](?:else\\s+if\\b|\\w+))|/|\\.\\.\\.)\\s*)?`, 'g');
  let end = 0;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const { 0: head, 2: block = '', index } = match;
    if (!head.startsWith('{')) continue;
    const start = next.lastIndex;
    const isLoop = /^#(?:each|await)$/.test(block);
    let rest = start;
    if (!/^\{\s*\//.test(head) && !/^(?:#snippet|:then|:catch|:else)$/.test(block)) {
      try {
        // in TypeScript, `items as item` is one expression
        rest = expressionEnd(text, start, isLoop ? [] : plugins);
        const isHandler = /\bon[\w:|]*=["']?$/.test(text.slice(Math.max(0, index - 40), index));
        scripts.push({ text: text.slice(start, rest), at: start, isTemplate: true, isHandler });
      } catch (error) {
        problems.push(problemOf(error, start));
      }
    }
    const close = closingBrace(text, rest);
    const isWhole = isLoop || rest === start || text.slice(rest, close).trim() === '}';
    if (!isWhole) problems.push({ at: rest, what: 'is no expression to its end' });
    for (const name of wordsIn(text.slice(block === '@const' ? start : rest, close))) declared.add(name);
    pieces.push(text.slice(end, index), hole.repeat(close - index));
    end = next.lastIndex = close;
  }
  return pieces.join('') + text.slice(end);
}

/** Returns the end of braces, of which a position is within. */
function closingBrace(text: string, at: number): number {
  let depth = 1;
  for (let end = at; end < text.length; end++) {
    if (text[end] === '{') depth += 1;
    else if (text[end] === '}') depth -= 1;
    if (depth === 0) return end + 1;
  }
  return text.length;
}
