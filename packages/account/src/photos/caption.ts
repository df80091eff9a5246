const control = /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu; // also what would turn the text around it

/**
 * Returns a caption from the name of an uploaded file, which is text from outside: without folders,
 * ending and control characters.
 */
export function captionFrom(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  const text = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(control, '')
    .trim();
  return Array.from(text).slice(0, 100).join('').toWellFormed();
}
