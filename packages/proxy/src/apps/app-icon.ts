/** Bytes of an app's icon. */
export const maxIconBytes = 100_000;

const kinds = { png: 'PNG', webp: 'WebP', svg: 'SVG' } as const;

/**
 * Returns the fault of an app's icon as the end of a sentence, or `undefined`.
 *
 * @param icon.path Ends with `.png`, `.webp` or `.svg`.
 * @param icon.content Its first bytes, at most `maxIconBytes`.
 */
export function iconProblem(icon: {
  readonly path: string;
  readonly size: number;
  readonly content: Buffer;
}): string | undefined {
  const { path, size, content } = icon;
  const most = maxIconBytes.toLocaleString('en');
  if (size > maxIconBytes) return `a file of at most ${most} bytes, and ${path} has ${size.toLocaleString('en')}`;
  const ending = path.split('.').at(-1)?.toLowerCase() as keyof typeof kinds;
  return isKind[ending](content.toString('latin1')) ? undefined : `a picture, and ${path} is no ${kinds[ending]}`;
}

const isKind: Readonly<Record<keyof typeof kinds, (text: string) => boolean>> = {
  png: (text) => text.startsWith('\x89PNG\r\n\x1a\n'),
  webp: (text) => text.startsWith('RIFF') && text.startsWith('WEBPVP8', 8),
  svg: (text) => /^(?:\xef\xbb\xbf)?\s*<(?:svg|[?!][\s\S]*<svg)[\s/>]/.test(text),
};
