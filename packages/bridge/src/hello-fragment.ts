/** The part of an app's window that the hello needs. */
export interface AppWindow {
  /** The container's window. */
  readonly parent: { postMessage(message: unknown, origin: string, ports: MessagePort[]): void };
  readonly location: { readonly href: string };
  readonly history: Pick<History, 'state' | 'replaceState'>;
}

/** Data in the fragment of an app's document, since no referrer is sent. */
export interface HelloAddress {
  readonly nonce: string;
  readonly origin: string;
}

// Version of the fragment; that of the protocol is in hello and welcome.
const fragmentVersion = 1;

/** Returns the fragment, with its `#`, for the address of an app's document. */
export function helloFragment({ nonce, origin }: HelloAddress): string {
  return `#gantry=${fragmentVersion}.${nonce}.${encodeURIComponent(origin)}`;
}

/** Reads the fragment and removes it from the address, to hide the nonce from other scripts. */
export function takeHelloFragment({
  location,
  history,
}: Pick<AppWindow, 'location' | 'history'>): HelloAddress | undefined {
  const [address = '', fragment = ''] = location.href.split('#', 2);
  const [, nonce, origin] = /^gantry=\d+\.(\w+)\.([\w.%:-]+)$/.exec(fragment) ?? [];
  if (nonce === undefined || origin === undefined) return undefined;
  history.replaceState(history.state, '', address);
  return { nonce, origin: decodeURIComponent(origin) };
}
