import { type ErrorCode, SocialError, type SocialErrorOptions, type WireError, wireError } from '@gantry/wire';

/** A reply with an error. */
export interface Failure {
  readonly error: WireError;
}

/** Creates a reply with an error. */
export function failure(
  code: ErrorCode,
  message: string,
  { retryAfter }: Pick<SocialErrorOptions, 'retryAfter'> = {},
): Failure {
  return { error: wireError(code, message, retryAfter) };
}

/** Turns a thrown value into a reply. Texts of errors other than `SocialError` stay on the page. */
export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof SocialError ? thrown : new SocialError('INTERNAL', 'The container could not answer.');
  return { error: error.toWire() };
}
