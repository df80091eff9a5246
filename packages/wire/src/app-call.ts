/** One call of an app, as it crosses the port and the proxy. Plain data. */
export interface ResourceRequest {
  /** Name of the call in `osapi`, for example `people.get`. */
  readonly operation: string;
  readonly params: RequestParams;
}

/** Parameters as an app wrote them, not validated. */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Identities that the port or the gadget token recorded, never the app's own words. */
export interface Asker {
  readonly app: string;
  /** Absent when no member is signed in. */
  readonly viewer?: string | undefined;
  readonly owner?: string | undefined;
}
