import type { ByteRange } from '@gantry/store';

/**
 * Returns the range of bytes that a request asks for (RFC 9110 §14), or `unsatisfiable`. Resolves
 * what is better answered whole to `undefined`: no range, several, and what is no range at all.
 *
 * @param options.size Bytes of the content.
 * @param options.etag Strong validator of the content, for `If-Range`.
 */
export function requestedRange(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { size, etag }: { readonly size: number; readonly etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.get('range') ?? '') ?? [];
  if (method !== 'GET' || size === 0 || (first === '' && last === '')) return undefined;
  if ((headers.get('if-range') ?? etag) !== etag) return undefined; // only a strong tag identifies bytes
  if (first === '')
    return last.match(/[1-9]/) ? { start: Math.max(size - Number(last), 0), end: size } : 'unsatisfiable';
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
