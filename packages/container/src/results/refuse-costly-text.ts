import { batchText, countStrings, limits } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';

/**
 * Refuses text with too many JSON strings; passes anything that is not text.
 *
 * @throws SocialError TOO_LARGE
 */
export function refuseCostlyText(text: unknown): void {
  if (typeof text === 'string' && countStrings(text, limits.strings) > limits.strings) {
    throw new SocialError('TOO_LARGE', `JSON text has at most ${limits.strings} strings.`);
  }
}

/**
 * Refuses parameters that are longer than any that a site answers, since reads are kept.
 *
 * @throws SocialError TOO_LARGE
 */
export function refuseLongRead(params: string): void {
  if (params.length > batchText) {
    throw new SocialError('TOO_LARGE', `The parameters of a read have at most ${batchText} characters.`);
  }
}
