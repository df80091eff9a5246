import { batchText, countStrings, limits } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';

/**
 * Refuses JSON text that must not be parsed.
 *
 * @param text Anything else than text passes.
 * @throws SocialError TOO_LARGE for more strings than one text may have.
 */
export function refuseCostlyText(text: unknown): void {
  if (typeof text === 'string' && countStrings(text, limits.strings) > limits.strings) {
    throw new SocialError('TOO_LARGE', `JSON text has at most ${limits.strings} strings.`);
  }
}

/** @throws SocialError TOO_LARGE for the parameters of a read that are longer than any that a site answers; they are kept. */
export function refuseLongRead(params: string): void {
  if (params.length > batchText) {
    throw new SocialError('TOO_LARGE', `The parameters of a read have at most ${batchText} characters.`);
  }
}
