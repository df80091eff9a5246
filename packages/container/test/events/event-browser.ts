import { systemClock } from '@gantry/bridge';
import type { Change, EventsRequest } from '@gantry/wire';
import { createProxyClient } from '../../src/calls/proxy-client.ts';
import type { Session } from '../../src/calls/session.ts';
import type { Channel } from '../../src/events/group.ts';
import { type Environment, followChanges } from '../../src/events/stream.ts';

const base = new URL('https://site.test/gantry/');

/** One stream that a page has opened: what it asked, and the server's end of it. */
export interface ServedStream {
  readonly page: string;
  readonly request: EventsRequest;
  readonly headers: Readonly<Record<string, string>>;
  isOpen: boolean;
  send(text: string): void;
  end(): void;
}

export interface TestPage {
  readonly heard: Change[];
  /** Apps of which the page is to ask anew; `any` for all of them. */
  readonly changed: string[];
  /** Counts the notices that another member is signed in. */
  readonly viewerChanges: () => number;
  mount(app: string, viewer?: string): void;
  /** Mounts several in one go. */
  mountAll(apps: readonly string[]): void;
  lifecycle(event: 'visible' | 'hidden' | 'pagehide' | 'pageshow'): void;
}

/** A browser in memory: its locks, its channels, and what its pages ask the proxy. */
export interface TestBrowser {
  readonly streams: readonly ServedStream[];
  /** The one that is open. */
  readonly open: () => ServedStream | undefined;
  readonly allOpen: () => readonly ServedStream[];
  /** Messages between pages that have arrived, one for each page that got it. */
  readonly arrived: number;
  /** Answers instead of a stream. */
  refusal: (() => Response) | undefined;
  online(): void;
  newPage(name: string): TestPage;
}

export function createTestBrowser({ hasLocks = true } = {}): TestBrowser {
  const streams: ServedStream[] = [];
  const waiting = new Map<string, (() => void)[]>();
  const channels = new Set<Channel & { readonly name: string }>();
  const onlineListeners: (() => void)[] = [];
  let arrived = 0;

  const locks = {
    async request(name: string, { signal }: LockOptions, work: () => Promise<unknown>) {
      const queue = waiting.get(name);
      if (queue) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        queue.push(resolve);
        signal?.addEventListener('abort', () => {
          queue.splice(queue.indexOf(resolve) >>> 0, 1);
          reject(new Error('given up'));
        });
        await promise;
      } else waiting.set(name, []);
      await work();
      const next = waiting.get(name)?.shift();
      if (next) next();
      else waiting.delete(name);
    },
  } as unknown as LockManager;

  function openChannel(name: string): Channel {
    const channel: Channel & { readonly name: string } = {
      name,
      onmessage: null,
      postMessage(message: unknown) {
        const data = structuredClone(message);
        for (const other of channels) {
          if (other === channel || other.name !== name) continue;
          arrived += 1;
          queueMicrotask(() => other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent));
        }
      },
      close: () => channels.delete(channel),
    };
    channels.add(channel);
    return channel;
  }

  const browser: TestBrowser = {
    streams,
    open: () => streams.find(({ isOpen }) => isOpen),
    allOpen: () => streams.filter(({ isOpen }) => isOpen),
    get arrived() {
      return arrived;
    },
    refusal: undefined,
    online() {
      for (const listener of onlineListeners) listener();
    },
    newPage(page) {
      const sessions: Session[] = [];
      const heard: Change[] = [];
      const changed: string[] = [];
      let viewerChanges = 0;
      let onLifecycle: (event: 'visible' | 'hidden' | 'pagehide' | 'pageshow') => void = () => undefined;
      let update: (() => void) | undefined;
      let isHidden = false;
      const environment: Environment = {
        locks: hasLocks ? locks : undefined,
        openChannel,
        isHidden: () => isHidden,
        onOnline: (listener) => onlineListeners.push(listener),
        onLifecycle(listener) {
          onLifecycle = listener;
        },
      };

      async function fetch(_url: URL, init: RequestInit): Promise<Response> {
        if (browser.refusal) return browser.refusal();
        let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
        const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
          start(given) {
            controller = given;
          },
        });
        const stream: ServedStream = {
          page,
          request: JSON.parse(init.body as string),
          headers: init.headers as Record<string, string>,
          isOpen: true,
          send: (text) => controller.enqueue(new TextEncoder().encode(text)),
          end() {
            stream.isOpen = false;
            controller.close();
          },
        };
        init.signal?.addEventListener('abort', () => {
          if (!stream.isOpen) return;
          stream.isOpen = false;
          controller.error(init.signal?.reason);
        });
        streams.push(stream);
        return new Response(body);
      }

      return {
        heard,
        changed,
        viewerChanges: () => viewerChanges,
        mount(app, viewer = '1') {
          if (sessions[0]?.scope.viewer !== viewer) sessions.length = 0;
          add(app, viewer);
          follow();
        },
        mountAll(apps) {
          for (const app of apps) add(app, '1');
          follow();
        },
        lifecycle(event) {
          isHidden = event === 'hidden';
          onLifecycle(event);
        },
      };

      function add(app: string, viewer: string): void {
        const instance = `${page}-${app}`;
        sessions.push({
          scope: { upstream: 'site', app, viewer, owner: viewer, since: 0 },
          rights: { uses: [], permissions: [] },
          since: `since-${instance}`,
          credentials: async () => ({ ok: { instance, token: `token-${instance}` } }),
        });
      }

      function follow(): void {
        update ??= followChanges(
          {
            base,
            client: createProxyClient({ base, fetch }),
            clock: systemClock,
            isAlone: false,
            invalidate: (changes) => heard.push(...changes),
            sessions: {
              list: () => [...sessions],
              viewerChanged() {
                viewerChanges += 1;
              },
            },
            onAppChanged: (app = 'any') => changed.push(app),
          },
          environment,
        );
        update();
      }
    },
  };
  return browser;
}
