/** Most characters (code points) of the URL of an activity, a picture or an item. */
export const mostUrlCharacters = 2_000;

/** Most UTF-8 bytes of the other texts of resources, through every interface. */
export const mostBytes = {
  /** Names, regions, languages, and titles of activities, albums and items. */
  title: 4_000,
  /** Members' texts about themselves, and descriptions. */
  text: 40_000,
} as const;

/** True for a text of at most `most` code points. Long texts are not read to their end. */
export function isWithin(text: string, most: number): boolean {
  if (text.length <= most) return true; // code points are at most UTF-16 units
  return text.length <= 2 * most && [...text].length <= most;
}
