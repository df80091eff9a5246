import { bounds } from './bounds.ts';

/**
 * Parses JSON of a bounded depth, so that code that walks the result cannot run out of stack, and
 * of a bounded number of values, since an empty list takes many times the memory of its two
 * characters.
 *
 * @param maxDepth Levels of lists and objects; fewer than {@link bounds} for a part of other JSON.
 * @param maxValues Values, where a list or an object counts twice if it is empty. Default: any
 * number, for texts of files and answers, which are bounded otherwise.
 * @throws SyntaxError for text that is not JSON, is deeper or has more values.
 */
export function parseJson(
  text: string,
  maxDepth: number = bounds.depth,
  maxValues: number = Number.POSITIVE_INFINITY,
): unknown {
  refuseUnbound(text, maxDepth, maxValues);
  return JSON.parse(text);
}

function refuseUnbound(json: string, maxDepth: number, maxValues: number): void {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === quote) index = endOfString(json, index);
    else if (code === openBracket || code === openBrace) {
      if (++depth > maxDepth) throw new SyntaxError(`The JSON is deeper than ${maxDepth}.`);
      values++;
    } else if (code === closeBracket || code === closeBrace) depth--;
    else if (code === comma) values++;
    if (values > maxValues) throw new SyntaxError(`The JSON has more than ${maxValues} values.`);
  }
}

const comma = 44;
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
