import type { PageMessage } from '@gantry/dev/protocol';
import type { Agent } from '@gantry/lab/page';

/** Passes messages between a frame and the builder's socket, which the page holds for it. */
export type Relay = ReturnType<typeof createRelay>;

const firstRetryMs = 200;
const mostRetryMs = 2_000;

/**
 * @param options.socketOf Fetches the socket address of an app: a restart changes the token.
 * @param options.onReload Called if the builder has no smaller update, or some may be lost.
 * @param options.onUpdate Called with the modules that are updated in place.
 */
export function createRelay(options: {
  readonly agent: Agent;
  readonly socketOf: (app: string) => Promise<string | undefined>;
  readonly onReload: () => void;
  readonly onUpdate: (paths: readonly string[]) => void;
}) {
  const { agent, socketOf, onReload, onUpdate } = options;
  const post = (message: PageMessage): void => agent.port.postMessage(message);
  let socket: WebSocket | undefined;
  let isWanted = false;
  let isOpen = false;
  let isClosed = false;
  let wasLost = false;
  let retryMs = firstRetryMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    const address = await socketOf(agent.app).catch(() => undefined);
    if (isClosed) return;
    if (address === undefined) {
      again();
      return;
    }
    const opened = new WebSocket(new URL(address, location.href.replace(/^http/, 'ws')), 'vite-hmr');
    socket = opened;
    opened.onopen = () => {
      isOpen = true;
      retryMs = firstRetryMs;
      if (wasLost) onReload();
      else post({ type: 'hot', data: null });
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => pass(data);
    opened.onclose = () => {
      if (isClosed || socket !== opened) return;
      wasLost ||= isOpen;
      isOpen = false;
      again();
    };
  }

  /** Keeps a lost server from the frame, which could do nothing. */
  function again(): void {
    timer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, mostRetryMs);
  }

  function pass(text: string): void {
    if (!agent.gadget.isConnected) {
      close();
      return;
    }
    const message = JSON.parse(text) as HotMessage;
    if (message.type === 'full-reload') onReload();
    else if (message.type !== 'error') post({ type: 'hot', data: text }); // the page itself shows errors
    if (message.type === 'update') onUpdate((message.updates ?? []).map(({ path }) => path));
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    socket?.close();
  }

  return {
    /** Sends a message of the frame; `null` asks for the connection. */
    send(data: string | null): void {
      if (data === null) {
        if (isWanted) return;
        isWanted = true;
        void connect();
      } else if (isOpen) socket?.send(data);
    },
    close,
  };
}

/** Relevant members of Vite's messages. */
interface HotMessage {
  readonly type: string;
  readonly updates?: readonly { readonly path: string }[];
}
