import type { AppWindow } from './connect.ts';
import type { Greeting, ReceivedHello } from './expect-hello.ts';
import { helloFragment } from './hello-fragment.ts';

/** Both ends of a handshake in one process, with no frame and no page between them. */
export interface DirectHello {
  /** For `acceptHello`. */
  readonly greeting: Greeting;
  /** For `connectToContainer`, which says its usual hello there. */
  readonly window: AppWindow;
}

/**
 * Makes a greeting that needs no iframe: the hello is handed over with its port. For tools and tests in Node.
 *
 * Nothing is checked that tells apps of one page apart, since there is one app and it is trusted: pages use `expectHello`.
 */
export function createDirectHello(): DirectHello {
  const given = Promise.withResolvers<ReceivedHello>();
  let isOver = false;
  const nonce = 'direct';
  const location = { href: `https://app.invalid/${helloFragment({ nonce, origin: 'https://page.invalid' })}` };
  return {
    greeting: {
      take(onHello) {
        void given.promise.then((hello) => (isOver ? hello.port.close() : onHello(hello)));
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
          given.resolve({ data: data as ReceivedHello['data'], port: port as MessagePort });
        },
      },
    },
  };
}
