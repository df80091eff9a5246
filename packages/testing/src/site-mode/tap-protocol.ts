// Messages of the tap in the page of a running site to the test in Node.

/** A message or incident between a page and its gadgets. */
export type Tapped = TappedPort | TappedMessage | TappedIncident;

/** A port on which the page welcomed an app. */
export interface TappedPort extends TappedAt {
  readonly kind: 'port';
  /** Names the port among those of its document. */
  readonly port: number;
  /** Place of the gadget: app and number, as `createContainer({ observe })` counts them. */
  readonly place: string;
  /** Members of the app's hello, as the app wrote them. The nonce is left out. */
  readonly hello: { readonly sdk?: unknown; readonly capabilities?: unknown };
}

/** A message on a port. `in` is the app's, `out` the page's. */
export interface TappedMessage extends TappedAt {
  readonly kind: 'in' | 'out';
  readonly port: number;
  readonly message: unknown;
}

/** The event `gantry-incident` of a gadget. */
export interface TappedIncident extends TappedAt {
  readonly kind: 'incident';
  readonly app: string;
  readonly place: string;
  readonly name: unknown;
  readonly detail: unknown;
}

interface TappedAt {
  /** Milliseconds since the epoch, by the browser's own clock. */
  readonly atMs: number;
}

/** One delivery of the tap, as JSON text: what passed since the last one. */
export interface TapDelivery {
  /** Names the document. Ports are numbered in each anew. */
  readonly document: string;
  /** Deliveries of this document, this one included. */
  readonly count: number;
  readonly tapped: readonly Tapped[];
  /** Messages that were too many or too large to deliver. */
  readonly leftOut: number;
}

/** Settings that the tap starts with, written before its script as `gantryTapSettings`. */
export interface TapSettings {
  /** Unguessable name of the function for deliveries, and of the event that requests one. */
  readonly name: string;
}
