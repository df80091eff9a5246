import type { Readable, Writable } from 'node:stream';

/** Parameters and results of the DevTools protocol: plain data whose shape each caller knows. */
export type Data = Readonly<Record<string, unknown>>;

/** A connection to a browser by the DevTools protocol. */
export interface Devtools {
  /** @throws Error with the browser's reason, or if the browser has ended. */
  send<Result extends object = Data>(method: string, params?: Data, session?: string): Promise<Result>;
  /** Calls the listener for each event until the returned function is called. */
  subscribe(listener: (method: string, params: Data, session: string | undefined) => void): () => void;
  /** Rejects all pending and later calls. */
  end(reason: string): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Data;
  readonly sessionId?: string;
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** Connects over `--remote-debugging-pipe`: no port is open to other programs or pages. */
export function openDevtools(from: Readable, to: Writable): Devtools {
  const waiting = new Map<number, PromiseWithResolvers<object>>();
  const listeners = new Set<(method: string, params: Data, session: string | undefined) => void>();
  let parts: Buffer[] = [];
  let lastId = 0;
  let ended: string | undefined;

  from.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      receive(JSON.parse(Buffer.concat(parts).toString()) as Message);
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  });
  to.on('error', () => {}); // the browser has ended; its exit is handled elsewhere

  function receive({ id, method, params = {}, sessionId, result = {}, error }: Message): void {
    if (id === undefined) {
      for (const listener of listeners) listener(method ?? '', params, sessionId);
      return;
    }
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  }

  return {
    async send<Result extends object>(method: string, params: Data = {}, session?: string) {
      if (ended !== undefined) throw new Error(ended);
      lastId += 1;
      const call = Promise.withResolvers<object>();
      waiting.set(lastId, call);
      to.write(`${JSON.stringify({ id: lastId, method, params, ...(session && { sessionId: session }) })}\0`);
      return (await call.promise) as Result;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end(reason) {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(new Error(ended));
      waiting.clear();
    },
  };
}
