/** The browser that a request came from, as the network shows it. */
export interface Client {
  /** Network address, if it is known. */
  readonly address?: string | undefined;
  /** False for an address that many share, such as a proxy's: it has no limit. Default true. */
  readonly isDistinct?: boolean | undefined;
}
