import { type ErrorCode, SocialError, type WireError } from '@gantry/wire';

/** A reply that says what went wrong. */
export interface Failure {
  readonly error: WireError;
}

export function failure(code: ErrorCode, message: string): Failure {
  return failureOf(new SocialError(code, message));
}

/** Turns what was thrown into data. What is not a `SocialError` is a bug of ours, and its text stays here. */
export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof SocialError ? thrown : new SocialError('INTERNAL', 'The page could not do this.');
  return { error: error.toWire() };
}
