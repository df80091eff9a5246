import type { ErrorCode, ErrorData, errorStatus, WireError } from '@gantry/wire';

// The few words that an app's side says by itself, so that an app need not load the whole table.
const status = {
  BAD_REQUEST: 400,
  ABORTED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMED_OUT: 504,
} as const satisfies Partial<typeof errorStatus>;

/** An error of the app's own side of the port. */
export function appError(reason: keyof typeof status & ErrorCode, message: string): WireError {
  return { code: status[reason], message, data: { reason } };
}

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
