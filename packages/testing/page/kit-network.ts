import type { Agents } from '@gantry/lab/page';

/** Makes the network of a page's container. The kit's own requests do not use it. */
export function createKitNetwork(window: Window, agents: () => Pick<Agents, 'setOnline'> | undefined) {
  let away: AbortController | undefined;
  let losing = new AbortController();
  Object.defineProperty(window.navigator, 'onLine', { get: () => away === undefined, configurable: true });
  return {
    /** Acts like the browser's `fetch`: rejects all requests with a TypeError while offline. */
    fetch(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const lost = away ?? losing;
      const { signal } = init ?? {};
      return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, lost.signal]) : lost.signal });
    },
    /** Sets the network. Page and frames see `navigator.onLine` and its events. */
    setOnline(isOnline: boolean): void {
      if (isOnline === (away === undefined)) return;
      if (isOnline) {
        away = undefined;
        losing = new AbortController();
      } else {
        away = losing;
        away.abort(new TypeError('Failed to fetch'));
      }
      agents()?.setOnline(isOnline);
      window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
  };
}
