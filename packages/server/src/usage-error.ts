/** Bad usage by whoever sets a server up: one line that says what is wrong, without a stack where it is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
