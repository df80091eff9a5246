import type { Greeting, ReceivedHello } from './expect-hello.ts';
import { type AppWindow, helloFragment } from './hello-fragment.ts';

/**
 * Creates a handshake without iframe, for tools and tests in Node: a greeting for `acceptHello` and
 * a window for `connectToContainer`. Checks neither window nor nonce,
 * since there is one app and it is trusted: pages use `expectHello`.
 */
export function createDirectHello(): { readonly greeting: Greeting; readonly window: AppWindow } {
  const handshake = Promise.withResolvers<ReceivedHello>();
  let isOver = false;
  const nonce = 'direct';
  const location = { href: `https://app.invalid/${helloFragment({ nonce, origin: 'https://page.invalid' })}` };
  return {
    greeting: {
      take(onHello) {
        void handshake.promise.then((hello) => (isOver ? hello.port.close() : onHello(hello)));
      },
      end() {
        isOver = true;
      },
    },
    window: {
      location,
      history: { state: null, replaceState() {} },
      parent: {
        postMessage(data: unknown, _origin: string, [port]: MessagePort[]) {
          handshake.resolve({ data: data as ReceivedHello['data'], port: port as MessagePort });
        },
      },
    },
  };
}
