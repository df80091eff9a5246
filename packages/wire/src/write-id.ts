const pattern = /^[A-Za-z0-9_-]{1,64}$/;

/** True for text that can name a write: `[A-Za-z0-9_-]{1,64}`. Each member and app have names of their own. */
export function isWriteId(text: unknown): text is string {
  return typeof text === 'string' && pattern.test(text);
}
