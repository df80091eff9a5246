import type { ErrorData, WireError } from '@gantry/wire';

/** What an awaited request rejects with. Branch on `code` or `data.reason`, never on the text. */
export class OsapiError extends Error {
  override readonly name = 'OsapiError';
  /** The contract's number, for example 404. */
  readonly code: number;
  /** `reason` is the number's stable word; `retryAfter`, in seconds, says when a retry can succeed. */
  readonly data: ErrorData | undefined;

  constructor({ code, message, data }: WireError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
