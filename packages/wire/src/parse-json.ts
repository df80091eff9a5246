import { bounds } from './bounds.ts';

/**
 * Reads JSON whose depth is bounded, so that nothing that walks the result can run out of stack.
 *
 * @param maxDepth Levels of lists and objects; less than {@link bounds} allow for what will stand inside other JSON.
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

/** Offset at which the text that begins at a quote ends: the next quote with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}
