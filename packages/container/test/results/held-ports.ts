import { vi } from 'vitest';

/** One end of a channel whose messages wait until a test delivers them. */
export interface HeldPort {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: { readonly data: unknown; readonly ports: [] }) => void): void;
  start(): void;
  close(): void;
  /** Messages to this end that were not delivered yet. */
  readonly waiting: unknown[];
  /** Delivers the oldest message to this end. Returns false if none waits. */
  deliver(): boolean;
}

/** Creates the two ends of a channel. */
function createHeldChannel(): { readonly port1: HeldPort; readonly port2: HeldPort } {
  const ends = [0, 1].map(() => ({ waiting: [] as unknown[], listeners: [] as ((event: never) => void)[] }));
  let isClosed = false;
  const [port1, port2] = ends.map(
    ({ waiting, listeners }, index): HeldPort => ({
      waiting,
      postMessage(message) {
        if (!isClosed) ends[1 - index]?.waiting.push(structuredClone(message));
      },
      addEventListener(type, listener) {
        if (type === 'message') listeners.push(listener);
      },
      start() {},
      close() {
        isClosed = true; // what was posted before still arrives
      },
      deliver() {
        if (waiting.length === 0) return false;
        const data = waiting.shift();
        for (const listener of listeners) listener({ data, ports: [] } as never);
        return true;
      },
    }),
  );
  return { port1: port1 as HeldPort, port2: port2 as HeldPort };
}

/** Makes every new `MessageChannel` hold its messages back. Returns those that were made. */
export function holdPorts(): ReturnType<typeof createHeldChannel>[] {
  const channels: ReturnType<typeof createHeldChannel>[] = [];
  vi.stubGlobal('MessageChannel', function MessageChannel() {
    const channel = createHeldChannel();
    channels.push(channel);
    return channel;
  });
  return channels;
}
