import type { VersionMismatch } from './protocol-versions.ts';

/** Errors and their HTTP status. Clients branch on the word or the number, never on the text. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NO_MEMBER: 403, // the site has signed in a person whom it does not have as a member
  NOT_FOUND: 404,
  APP_MISSING: 404, // registered, but its page is not in its folder
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409, // this id or key belongs to another write
  APP_REPLACED: 410, // another app is registered under this id now
  APP_RELOADED: 410, // bridge only: the app's document went away before the answer came
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED: 421,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  ABORTED: 499, // bridge only: the caller's AbortSignal fired
  INTERNAL: 500,
  POSTED_TOO_SOON: 500, // the API document, §7, asks for 500 here
  NOT_IMPLEMENTED: 501,
  UPSTREAM_FAILED: 502,
  OUTCOME_UNKNOWN: 502, // a write may have been done, and repeating it could do it twice
  UNAVAILABLE: 503,
  VERSION_MISMATCH: 503, // bridge only: no common version of the protocol
  APP_PAUSED: 503, // by the site: writes wait until it resumes the app
  TIMED_OUT: 504,
  STORAGE_FULL: 507,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/** An error as it crosses a wire: number outside, stable word in `data.reason`. */
export interface WireError {
  /** The contract's number, for example 404. */
  readonly code: number;
  /** Text for a developer. Never a secret, a path, SQL or a stack. */
  readonly message: string;
  readonly data?: ErrorData;
}

export interface ErrorData {
  readonly reason?: string;
  /** Whole seconds until a retry can succeed. */
  readonly retryAfter?: number;
  /** With the reason NOT_GRANTED: missing permissions. */
  readonly missing?: readonly string[];
  /** With the reason VERSION_MISMATCH. */
  readonly versions?: VersionMismatch;
}

export interface SocialErrorOptions extends ErrorOptions, Pick<ErrorData, 'retryAfter'> {
  /** Word where the code is too coarse: `oauth_problem`, or the fault of an image. */
  readonly problem?: string;
  /** Methods for the `Allow` header, on METHOD_NOT_ALLOWED. */
  readonly allow?: readonly string[];
}

/** Error class of this code base. Any other error is a bug. */
export class SocialError extends Error {
  override readonly name = 'SocialError';
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly problem: string | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, options: SocialErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.problem = options.problem;
    this.allow = options.allow;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toWire(): WireError {
    return wireError(this.code, this.message, this.retryAfter);
  }
}

/** Creates an error that no one throws, without the stack that browsers take for each. */
export function wireError(reason: ErrorCode, message: string, retryAfter?: number): WireError {
  return { code: errorStatus[reason], message, data: retryAfter === undefined ? { reason } : { reason, retryAfter } };
}
