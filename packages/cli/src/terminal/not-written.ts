/** The changes were shown and not written: exit code 3. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}
