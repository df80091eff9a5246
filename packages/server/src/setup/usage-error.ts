/**
 * Error in usage or configuration: one line for a person, printed without a stack.
 *
 * @example
 * new UsageError('--port must be a number.').name; // 'UsageError'
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Ends a process that cannot start. Prints a usage error in one line and exits with 2, as the
 * `gantry` command does; throws any other error.
 */
export function endProcess(error: unknown): never {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!(error instanceof UsageError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
