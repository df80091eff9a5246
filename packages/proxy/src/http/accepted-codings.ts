/** Content codings in which files are sent. */
export type Coding = 'br' | 'gzip' | 'identity';

/**
 * Returns the codings that a client accepts, the best first. `identity` is always among them: it is
 * what is sent where nothing that is acceptable can be made (RFC 9110 §12.5.3).
 *
 * @param header `Accept-Encoding`, or `null`.
 */
export function acceptedCodings(header: string | null): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [name = '', weight = 'q=1', ...more] = item.split(';').map((part) => part.trim());
    if (more.length === 0 && /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) {
      weights.set(name, Number(weight.slice(2)));
    }
  }
  const rest = weights.get('*') ?? 0;
  const unnamed = { br: rest, gzip: rest, identity: 0 }; // identity is acceptable, but preferred only by name
  const weightOf = (coding: Coding) => weights.get(coding) ?? unnamed[coding];
  const packed = (['br', 'gzip'] as const).filter((coding) => weightOf(coding) > 0);
  return [...packed, 'identity' as const].sort((a, b) => weightOf(b) - weightOf(a));
}
