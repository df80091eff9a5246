/** The browser that a request came from, as the network shows it. */
export interface Client {
  /** Network address, if it is known. */
  readonly address?: string | undefined;
  /**
   * False for an address that many may share, such as that of a reverse proxy; it has no limit of
   * its own. Default true.
   */
  readonly isDistinct?: boolean | undefined;
}
