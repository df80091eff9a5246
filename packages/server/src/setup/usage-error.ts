/**
 * Error in usage or configuration: one line for a person, printed without a stack.
 *
 * @example
 * new UsageError('--port must be a number.').name; // 'UsageError'
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
