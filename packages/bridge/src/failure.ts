import { type ErrorCode, SocialError, type SocialErrorOptions, type WireError } from '@gantry/wire';

/** A reply that says what went wrong. */
export interface Failure {
  readonly error: WireError;
}

export function failure(code: ErrorCode, message: string, options?: SocialErrorOptions): Failure {
  return failureOf(new SocialError(code, message, options));
}

/** Turns what was thrown into data. What is not a `SocialError` was not made to be told: its text stays on the page. */
export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof SocialError ? thrown : new SocialError('INTERNAL', 'The container could not answer.');
  return { error: error.toWire() };
}
