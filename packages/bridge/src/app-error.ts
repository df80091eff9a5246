import type { ErrorCode, ErrorData, errorStatus, WireError } from '@gantry/wire';

// Only the codes that the SDK itself uses, to keep the whole table out of its script.
const status = {
  BAD_REQUEST: 400,
  ABORTED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMED_OUT: 504,
} as const satisfies Partial<typeof errorStatus>;

/** Creates an error of the app's side of the port. */
export function appError(reason: keyof typeof status & ErrorCode, message: string): WireError {
  return { code: status[reason], message, data: { reason } };
}

/** Rejection of an awaited request. Branch on `code` or `data.reason`, never on the text. */
export class OsapiError extends Error {
  override readonly name = 'OsapiError';
  /** The contract's number, for example 404. */
  declare readonly code: number;
  /** `reason` is the stable word of `code`; `retryAfter` the seconds until a retry can succeed. */
  declare readonly data: ErrorData | undefined;

  constructor({ code, message, data }: WireError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
