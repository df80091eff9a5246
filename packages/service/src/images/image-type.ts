/** Image types that every browser shows and that cannot run scripts. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

/** Detects a file's type from its first bytes. SVG is refused: opened by itself it runs scripts. */
export function imageTypeOf(head: Uint8Array): ImageType | undefined {
  const text = Buffer.from(head.subarray(0, 16)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.startsWith('WEBPVP8', 8)) return 'image/webp';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  return undefined;
}
