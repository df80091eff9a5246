import type { AgentMessage, PageMessage } from '@gantry/dev/protocol';

/** Protocol name of the socket of Vite's client. */
const hotProtocol = 'vite-hmr';

/**
 * Replaces the WebSocket of Vite's client by the agent's port: the policy of an app allows no
 * connections (`connect-src 'none'`), as on a site. Other sockets are refused as there. The socket
 * never closes: after a close Vite's client would start a worker that the policy refuses, and
 * reload without success. The page waits for the server instead.
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
  // The page must know: a module that never ran takes no update.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) post({ type: 'incomplete' });
    },
    { capture: true },
  );
}
