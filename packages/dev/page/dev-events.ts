import type { DevEvent } from '@gantry/dev/protocol';

/** Server-sent events of the dev host, for any number of listeners. */
export type DevEvents = ReturnType<typeof openDevEvents>;

export interface DevListener {
  onEvent?(event: DevEvent): void;
  /** `back`: the stream is connected again, perhaps to another server. */
  onConnection?(connection: 'lost' | 'back'): void;
}

const retryMs = 1_000;

/** Listens to `GET /dev/events`, and retries each second while there is no server. */
export function openDevEvents(
  url: string,
  { open = (url: string) => new EventSource(url), setTimeout = globalThis.setTimeout.bind(globalThis) } = {},
) {
  const listeners = new Set<DevListener>();
  let isLost = false;
  let isClosed = false;
  let source = connect();

  function connect(): EventSource {
    const stream = open(url);
    stream.onopen = () => {
      if (isLost) for (const { onConnection } of listeners) onConnection?.('back');
      isLost = false;
    };
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as DevEvent;
      for (const { onEvent } of listeners) onEvent?.(event);
    };
    stream.onerror = () => {
      stream.close();
      if (isClosed) return;
      if (!isLost) for (const { onConnection } of listeners) onConnection?.('lost');
      isLost = true;
      setTimeout(() => {
        if (!isClosed) source = connect();
      }, retryMs);
    };
    return stream;
  }

  return {
    subscribe(listener: DevListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      isClosed = true;
      source.close();
    },
  };
}
