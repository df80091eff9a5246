/** Differences from the tape, and the site's part in it. */
export interface ReplayOptions {
  /** App to run. Default: the tape's. */
  readonly app?: string;
  /** Value of `gantry.state` at the start. */
  readonly state?: unknown;
  /** Does the site's part of a recording: a friend's post, a jump. Not run in a replay. */
  readonly record?: () => Promise<void>;
}

/** An app that runs against a tape, or is recorded on it. */
export interface GadgetReplay {
  /** Mounts the app once more, where the tape has a second mount. */
  mount(): Promise<void>;
  /**
   * Resolves when all of the tape happened.
   *
   * @param options.timeout Milliseconds. Default: that of `expect`; the end of the test's own time
   * comes first.
   * @throws Error with the difference, and the command that records the tape again.
   */
  finished(options?: { readonly timeout?: number }): Promise<void>;
}
