/** Characters (code points) of an address: of an activity, a picture or an item. */
export const mostUrlCharacters = 2_000;

/** UTF-8 bytes of other texts of resources, however they come in. */
export const mostBytes = {
  /** Names, regions, languages, and titles of activities, albums and items. */
  title: 4_000,
  /** Members' own texts about themselves, and descriptions. */
  text: 40_000,
} as const;

/** True for a text of at most `most` code points. Reads no more of it than that needs. */
export function isWithin(text: string, most: number): boolean {
  if (text.length <= most) return true; // code points are at most UTF-16 units
  return text.length <= 2 * most && [...text].length <= most;
}
