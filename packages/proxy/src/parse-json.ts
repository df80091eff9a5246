const maxDepth = 64;

/**
 * Reads JSON whose depth is bounded, so that nothing that walks the result can run out of stack.
 *
 * @throws SyntaxError for text that is not JSON or is deeper than 64.
 */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`The JSON is deeper than ${maxDepth}.`);
  return JSON.parse(text);
}

function isDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const char = json[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') {
      if (++depth > maxDepth) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}
