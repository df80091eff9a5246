/**
 * Error in usage or configuration: one line for a person, printed without a stack.
 *
 * @example
 * new UsageError('--port must be a number.').name; // 'UsageError'
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends a process that cannot start: a usage error exits with 2 and one line; others are thrown. */
export function endProcess(error: unknown): never {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!(error instanceof UsageError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
