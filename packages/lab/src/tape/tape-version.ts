/** Goes up when a tape changes so that an older reader would misread it. New members do not: a reader leaves out what it does not know. */
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
