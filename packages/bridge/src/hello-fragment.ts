import type { AppWindow } from './connect.ts';

/** What the container tells the app's document through its address, since no referrer is sent. */
export interface HelloAddress {
  readonly nonce: string;
  /** Origin of the container's page. */
  readonly origin: string;
}

// Version of the fragment itself: those of the protocol are in hello and welcome.
const form = 1;

/** Fragment, with its `#`, to append to the address of an app's document. */
export function helloFragment({ nonce, origin }: HelloAddress): string {
  return `#gantry=${form}.${nonce}.${encodeURIComponent(origin)}`;
}

/** Reads the fragment and removes it from the address, so that nothing else in the document finds the nonce there. */
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
