/** Makes a frame see the network state of its page. Returns the function that sets it. */
export function takeNetwork(window: Window): (isOnline: boolean) => void {
  let isOnline = window.navigator.onLine;
  return (next) => {
    if (next === isOnline) return;
    isOnline = next;
    Object.defineProperty(window.navigator, 'onLine', { get: () => isOnline, configurable: true });
    window.dispatchEvent(new Event(next ? 'online' : 'offline'));
  };
}
