const pattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns true for the id of a write: `[A-Za-z0-9_-]{1,64}`, unique for one member and app. */
export function isWriteId(text: unknown): text is string {
  return typeof text === 'string' && pattern.test(text);
}
