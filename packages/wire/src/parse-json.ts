import { bounds } from './bounds.ts';

/**
 * Parses JSON of a bounded depth, so that code that walks the result cannot run out of stack.
 *
 * @example
 * parseJson('{"a":[1]}'); // { a: [1] }
 * parseJson('[[[1]]]', 2); // throws deeper than 2
 * @param maxDepth Levels of lists and objects; fewer than {@link bounds} for a part of other JSON.
 * @throws SyntaxError for text that is not JSON or is deeper.
 */
export function parseJson(text: string, maxDepth: number = bounds.depth): unknown {
  if (isDeeper(text, maxDepth)) throw new SyntaxError(`The JSON is deeper than ${maxDepth}.`);
  return JSON.parse(text);
}

function isDeeper(json: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === quote) index = endOfString(json, index);
    else if (code === openBracket || code === openBrace) {
      if (++depth > maxDepth) return true;
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125];

/** Returns the offset of the closing quote: the next one after an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}
