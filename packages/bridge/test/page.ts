import type { Reply, ResourceRequest } from '@gantry/wire';
import type { AcceptHelloOptions } from '../src/accept-hello.ts';
import type { ConnectOptions } from '../src/connect.ts';
import {
  type AppConnection,
  type AppContext,
  type AppRequest,
  acceptHello,
  type ContainerConnection,
  connectToContainer,
  expectHello,
  helloFragment,
  type SendOptions,
} from '../src/index.ts';

export const context: AppContext = {
  instance: 'i1',
  locale: 'en',
  timeZone: 'UTC',
  params: {},
  theme: {
    scheme: 'light',
    contrast: 'normal',
    motion: 'full',
    direction: 'ltr',
    surface: 'rgb(255, 255, 255)',
    ink: 'rgb(0, 0, 0)',
    muted: 'rgb(90, 90, 90)',
    line: 'rgb(220, 220, 220)',
    accent: 'rgb(0, 0, 200)',
    'on-accent': 'rgb(255, 255, 255)',
    radius: '12px',
  },
  app: { id: 'friends', title: 'Friends' },
  viewer: '1',
  owner: '2',
  view: 'home',
  views: ['home'],
  height: 240,
  operations: ['people.get'],
  permissions: ['people'],
};

export const getFriends: ResourceRequest = { operation: 'people.get', params: { groupId: '@friends' } };

const container = 'https://site.example';
const document = 'https://apps.example/friends/index.html';

/** A container's window and the frame in it, as far as the handshake looks at them. */
export function openFrame(options: { nonce?: string; sandbox?: string; hash?: string; page?: EventTarget } = {}) {
  const {
    nonce = 'n1',
    sandbox = 'allow-scripts allow-forms',
    hash = helloFragment({ nonce, origin: container }),
  } = options;
  const page = Object.assign(options.page ?? new EventTarget(), {
    postMessage(data: unknown, origin: string, ports: MessagePort[]) {
      if (origin === container) post({ data, ports });
    },
  });
  const app = {
    location: { href: document + hash },
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, url: string) => {
        app.location.href = url;
      },
    },
    parent: page,
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

interface Handlers extends Partial<Omit<AcceptHelloOptions, 'answer' | 'watch' | 'context'>> {
  readonly context?: AppContext;
  answer?(request: ResourceRequest, signal: AbortSignal): Reply | Promise<Reply>;
  watch?(request: ResourceRequest, push: (reply: Reply) => void): () => void;
  /** Hears what crosses the port: names of methods one way, kinds of messages the other. */
  heard?(message: string): void;
}

/** An app's end whose requests are objects, which tests read more easily than text. */
export interface App extends Omit<ContainerConnection, 'send' | 'watch'> {
  send(request: ResourceRequest, options?: SendOptions): Promise<Reply>;
  watch(request: ResourceRequest, push: (reply: Reply) => void): () => void;
}

export const textOf = ({ operation, params }: ResourceRequest): AppRequest => ({
  operation,
  params: JSON.stringify(params),
});
export const replyTo = (connection: ContainerConnection, request: ResourceRequest, options?: SendOptions) =>
  new Promise<Reply>((resolve) => connection.send(textOf(request), resolve, options));
const objectOf = ({ operation, params }: AppRequest): ResourceRequest => ({ operation, params: JSON.parse(params) });

/** A connection from end to end over a real MessageChannel. */
export function connect(
  { heard = () => {}, answer = () => ({ ok: {} }), watch, context: welcomedWith = context, ...handlers }: Handlers = {},
  options: ConnectOptions = {},
): { container: AppConnection; app: App; connection: ContainerConnection } {
  const { frame, page, app, nonce } = openFrame();
  page.addEventListener('message', ({ ports: [port] }) => port && listen(port, heard), { capture: true });
  const container = acceptHello({
    greeting: expectHello({ frame, nonce, window: page }),
    context: () => welcomedWith,
    answer: (request, open) => answer(objectOf(request), open.signal),
    ...(watch && { watch: (request, push) => watch(objectOf(request), push) }),
    actions: new Map(),
    ...handlers,
  });
  const connection = connectToContainer({ window: app, ...options });
  return {
    container,
    connection,
    app: {
      ...connection,
      send: (request, sendOptions) => replyTo(connection, request, sendOptions),
      watch: (request, push) => connection.watch(textOf(request), push),
    },
  };
}

/** A container that listens, for a document that says nothing yet. */
function listening(handlers: Partial<AcceptHelloOptions> = {}) {
  const { frame, page, app, nonce, post } = openFrame();
  const container = acceptHello({
    greeting: expectHello({ frame, nonce, window: page }),
    context: () => context,
    answer: () => ({ ok: {} }),
    actions: new Map(),
    ...handlers,
  });
  return { container, app, nonce, post };
}

/** A container that listens already; `open` makes the app. */
export function later() {
  const { container, app } = listening();
  return { container, open: () => connectToContainer({ window: app }), app: () => container.ping() };
}

/**
 * An app without SDK, with any hello. `port` resolves with all messages up to `closed`.
 */
export function rawApp(hello: Readonly<Record<string, unknown>>, handlers: Partial<AcceptHelloOptions> = {}) {
  const { container, nonce, post } = listening(handlers);
  const { port1, port2 } = new MessageChannel();
  const heard: { readonly gantry?: string }[] = [];
  const port = new Promise<typeof heard>((resolve) => {
    port1.addEventListener('message', ({ data }) => {
      heard.push(data);
      if (data.gantry === 'closed') resolve(heard);
    });
  });
  port1.start();
  post({ data: { gantry: 'hello', versions: [1], nonce, ...hello }, ports: [port2] });
  return { container, port };
}

function listen(port: MessagePort, heard: (message: string) => void): void {
  port.addEventListener('message', ({ data }) => heard(data.path.join('.')));
  const post = port.postMessage.bind(port);
  port.postMessage = (message) => {
    heard(message.gantry ?? 'answer');
    post(message);
  };
}
