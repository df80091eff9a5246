import type { AgentMessage, PageMessage } from '@gantry/dev/protocol';

/** Word by which Vite's client names the protocol of its socket. */
const hotProtocol = 'vite-hmr';

/**
 * Gives Vite's client a socket over the agent's port: an app's own policy allows no connection (`connect-src 'none'`), as on a
 * site. Every other socket stays the browser's, and is refused as there.
 *
 * The socket never closes: to a lost server Vite's client answers with a worker that the policy refuses, and a reload that has
 * nothing to load. The page waits for the server instead.
 */
export function replaceHotSocket(window: Window & typeof globalThis, port: MessagePort): void {
  const post = (message: AgentMessage): void => port.postMessage(message);

  class PortSocket extends EventTarget {
    readonly OPEN = 1;
    readonly protocol = hotProtocol;
    readonly url: string;
    readyState = 0;

    constructor(url: string) {
      super();
      this.url = url;
      port.addEventListener('message', ({ data: message }: MessageEvent<PageMessage>) => {
        if (message.type !== 'hot') return;
        const { data } = message;
        if (data !== null) this.dispatchEvent(new MessageEvent('message', { data }));
        else if (this.readyState === 0) {
          this.readyState = 1;
          this.dispatchEvent(new Event('open'));
        }
      });
      port.start();
      post({ type: 'hot', data: null });
    }
    send(data: string): void {
      post({ type: 'hot', data });
    }
    close(): void {}
  }

  window.WebSocket = new Proxy(window.WebSocket, {
    construct(native, parameters: [string, string?], newTarget) {
      const [url, protocol] = parameters;
      return protocol === hotProtocol ? new PortSocket(url) : Reflect.construct(native, parameters, newTarget);
    },
  });
  // A module that never ran takes no update, so the page has to know.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) post({ type: 'incomplete' });
    },
    { capture: true },
  );
}
