import { maxAnswerBytes, SocialError } from '@gantry/wire';

/** A document as it is made: each part is well-formed text of a bounded size, one item of a list for example. */
export type Parts = Iterable<string>;

/**
 * Joins the parts of an answer and counts their bytes as they come, so that no more is made than the answer may have.
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
    bytes += isExact ? Buffer.byteLength(part) : 3 * part.length; // UTF-8 has no more, so short answers need no count
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
