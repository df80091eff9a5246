import { maxAnswerBytes, SocialError } from '@gantry/wire';

/** Parts of a document, generated lazily. Each has a bounded size, for example one list item. */
export type Parts = Iterable<string>;

/**
 * Joins the parts of an answer. Counts bytes while they are generated, so that no more is generated
 * than an answer may have.
 *
 * @param most Bytes in UTF-8.
 * @throws SocialError TOO_LARGE
 */
export function joinWithin(parts: Parts, most: number = maxAnswerBytes): string {
  const joined: string[] = [];
  let bytes = 0;
  let isExact = false;
  for (const part of parts) {
    joined.push(part);
    bytes += isExact ? Buffer.byteLength(part) : 3 * part.length; // upper bound, exact only near the limit
    if (bytes <= most) continue;
    if (!isExact) bytes = joined.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    isExact = true;
    if (bytes > most) throw answerTooLarge();
  }
  return joined.length === 1 ? (joined[0] as string) : joined.join('');
}

/** Returns the error for an answer beyond the bound (contract §8 Bounds). */
export function answerTooLarge(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `An answer has at most ${maxAnswerBytes} bytes, all calls of a batch together: ask for less, or page with count and startIndex.`,
  );
}
