const [quote, backslash] = [34, 92];

/**
 * Counts the strings of a JSON text, including names of members, without parsing it: parsers intern
 * short strings in a hash table of the engine, for which numeric texts can be chosen to collide.
 *
 * @param most Counting stops at the first string beyond this number.
 */
export function countStrings(json: string, most: number): number {
  let count = 0;
  let isInside = false;
  for (let index = 0; index < json.length && count <= most; index++) {
    const code = json.charCodeAt(index);
    if (code === backslash) index += 1;
    else if (code === quote) {
      isInside = !isInside;
      if (isInside) count += 1;
    }
  }
  return count;
}
