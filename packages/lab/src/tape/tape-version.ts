/** Increases when an older reader would misread a tape. New members do not: readers ignore them. */
export const tapeVersion = 1;

/** Bounds of a tape that is read or written. */
export const tapeBounds = {
  characters: 64 * 1024 * 1024,
  /** Characters of one line. */
  lineLength: 8 * 1024 * 1024,
  entries: 100_000,
  /** Levels of nesting of a line's JSON. */
  depth: 72,
} as const;
