import type { Answered } from './costs-client.ts';

/** Counts outcomes of requests, as `29 × 413, 200`. Each reply within a batch counts separately. */
export function outcomes(answers: readonly Pick<Answered, 'status' | 'text'>[]): string {
  const counts = Map.groupBy(answers.flatMap(codesOf), (code) => code);
  return [...counts]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([code, { length }]) => `${length === 1 ? '' : `${length} × `}${code === 0 ? 'no answer' : code}`)
    .join(', ');
}

/** A JSON-RPC response is one JSON text; a page's calls return one line each. */
function codesOf({ status, text }: Pick<Answered, 'status' | 'text'>): number[] {
  if (status !== 200) return [status];
  try {
    const replies = text
      .trimEnd()
      .split('\n')
      .flatMap((line): unknown => JSON.parse(line)) as Reply[];
    return replies.map((reply) => reply?.error?.code ?? status);
  } catch {
    return [status];
  }
}

interface Reply {
  readonly error?: { readonly code: number };
}
