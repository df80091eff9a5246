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
  for (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (bytes > most) throw answerTooLarge();
    joined.push(part);
  }
  return joined.join('');
}

/** What an answer beyond the bound is answered with (contract §8 Bounds). */
export function answerTooLarge(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `An answer has at most ${maxAnswerBytes} bytes, all calls of a batch together: ask for less, or page with count and startIndex.`,
  );
}
