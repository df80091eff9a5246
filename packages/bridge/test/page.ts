import type { GadgetContext, ResourceRequest } from '@gantry/wire';
import {
  type AcceptHelloOptions,
  type AppConnection,
  acceptHello,
  type ConnectOptions,
  type ContainerConnection,
  connectToContainer,
  helloFragment,
} from '../src/index.ts';

export const context: GadgetContext = {
  app: { id: 'friends', title: 'Friends' },
  viewer: '1',
  owner: '2',
  view: 'home',
  height: 240,
  operations: ['people.get'],
};

export const getFriends: ResourceRequest = { operation: 'people.get', params: { groupId: '@friends' } };

const container = 'https://site.example';
const document = 'https://apps.example/friends/index.html';

/** A container's window and the frame in it, as far as the handshake looks at them. */
export function openFrame(options: { nonce?: string; sandbox?: string; hash?: string } = {}) {
  const {
    nonce = 'n1',
    sandbox = 'allow-scripts allow-forms',
    hash = helloFragment({ nonce, origin: container }),
  } = options;
  const page = new EventTarget();
  const app = {
    location: { href: document + hash },
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, url: string) => {
        app.location.href = url;
      },
    },
    parent: {
      postMessage(data: unknown, origin: string, ports: MessagePort[]) {
        if (origin === container) post({ data, ports });
      },
    },
  };
  const frame = {
    src: document,
    contentWindow: app,
    hasAttribute: (name: string) => name === 'sandbox',
    sandbox: { contains: (token: string) => sandbox.split(' ').includes(token) },
  };
  /** Delivers a message to the container's window, by default as the frame's document would. */
  function post(message: { data: unknown; ports?: MessagePort[]; origin?: string; source?: unknown }): void {
    const { data, ports = [], origin = 'null', source = app } = message;
    page.dispatchEvent(Object.assign(new Event('message'), { data, ports, origin, source }));
  }
  return {
    frame: frame as unknown as HTMLIFrameElement,
    page: page as unknown as Window,
    app: app as unknown as Window,
    nonce,
    post,
  };
}

interface Handlers extends Partial<AcceptHelloOptions> {
  /** Hears what crosses the port: names of methods one way, kinds of messages the other. */
  heard?(message: string): void;
}

/** A connection from end to end over a real MessageChannel. */
export function connect(
  { heard = () => {}, ...handlers }: Handlers = {},
  options: ConnectOptions = {},
): { container: AppConnection; app: ContainerConnection } {
  const { frame, page, app, nonce } = openFrame();
  page.addEventListener('message', ({ ports: [port] }) => port && listen(port, heard), { capture: true });
  const container = acceptHello({
    frame,
    nonce,
    window: page,
    context,
    answer: () => ({ ok: {} }),
    actions: new Map(),
    ...handlers,
  });
  return { container, app: connectToContainer({ window: app, ...options }) };
}

function listen(port: MessagePort, heard: (message: string) => void): void {
  port.addEventListener('message', ({ data }) => heard(data.path.join('.')));
  const post = port.postMessage.bind(port);
  port.postMessage = (message) => {
    heard(message.gantry ?? 'answer');
    post(message);
  };
}
