/** The browser that a request came from, as the network shows it. */
export interface Client {
  /** Network address, if it is known. */
  readonly address?: string | undefined;
  /** False for an address that many may share, such as a reverse proxy's: it has no limit. */
  readonly isDistinct?: boolean | undefined;
}
