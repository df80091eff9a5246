import type { Reply, WireError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { AppContext } from './app-context.ts';
import { appError, OsapiError } from './app-error.ts';
import type { Failure } from './failure.ts';
import { type AppWindow, takeHelloFragment } from './hello-fragment.ts';
import { createPending, timedOut } from './pending.ts';
import {
  type AppRequest,
  batchLimit,
  batchText,
  type ContainerMessage,
  type Hello,
  type LeasedItem,
  type ReplyItem,
  type RequestItem,
} from './protocol.ts';
import { createRemote } from './remote.ts';
import { isFresh, isLeased, replyOf } from './reply-item.ts';
import { systemTime } from './system-time.ts';
import { helloVersions } from './versions.ts';

const maxEarly = 100;
// An app that reads in a loop never lets its document hear that a lease ends: so one read crosses.
const mostUses = 1_000;

export interface ConnectOptions {
  /** The app's window, whose parent is the container. */
  readonly window?: AppWindow;
  /** Time-out of the replies to reads and of the container's welcome. 30,000 ms by default. */
  readonly timeoutMs?: number;
  /** The machine's by default. */
  readonly clock?: Pick<Clock, 'now' | 'elapsed' | 'after'>;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: that of the connection for reads, none for writes. */
  readonly timeoutMs?: number | undefined;
}

/** The app's end of the port. */
export interface ContainerConnection {
  /** Rejects with an OsapiError if there is no container or the connection ends first. */
  readonly welcome: Promise<AppContext>;
  /**
   * Sends a request, or answers it at once from a leased result. `answer` is always called once:
   * time-out, abort and the end of the connection are error replies. Requests of one tick cross in
   * one message, after the welcome. (No promise: most callers make one anyway.)
   */
  send(request: AppRequest, answer: (reply: Reply) => void, options?: SendOptions): void;
  /** Calls `push` with the reply and each newer one, until the returned function is called. */
  watch(request: AppRequest, push: (reply: Reply) => void): () => void;
  /** Runs an action of the container, which may wait for the member: no time-out. Never rejects. */
  act(name: string, ...args: unknown[]): Promise<Reply>;
  /** Returns true if the container has this action; false before the welcome. */
  can(action: string): boolean;
  /**
   * Listens for an event of the container, until the returned function is called. The first
   * listener of a name also gets the last 100 events before it, in order.
   */
  on(name: string, listener: (data: unknown) => void): () => void;
}

/**
 * Says hello to the container that opened this document. Without a container, all requests fail
 * with UNAVAILABLE.
 *
 * @see security rule 2
 */
export function connectToContainer(options: ConnectOptions = {}): ContainerConnection {
  const { window: app = globalThis.window as AppWindow | undefined, timeoutMs = 30_000, clock = systemTime } = options;
  const welcome = Promise.withResolvers<AppContext>();
  welcome.promise.catch(() => {}); // not unhandled if nothing awaits it
  const { port1: port, port2: theirs } = new MessageChannel();
  const remote = createRemote(port);
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const early = new Map<string, unknown[]>(); // events without a listener yet
  const pending = createPending(clock, giveUp);
  const leased = new Map<string, LeasedItem>(); // by call; the page bounds and ends them
  let lastWrite = 0; // results that were asked before it are not kept
  let uses = 0; // of leased results since the page was heard
  let outbox: RequestItem[] = [];
  let cancelled: number[] = [];
  let capabilities: readonly string[] | undefined; // known from the welcome on
  let ended: WireError | undefined;

  function enqueue(item: RequestItem): void {
    if (outbox.push(item) === 1 && capabilities) queueMicrotask(flush);
  }
  function giveUp(id: number): void {
    const queued = outbox.length;
    outbox = outbox.filter(([item]) => item !== id);
    const hadLeft = outbox.length === queued;
    if (hadLeft && !ended && cancelled.push(id) === 1) queueMicrotask(flushCancelled);
  }
  function flush(): void {
    const items = leased.size > 0 ? outbox.filter(mustCross) : outbox;
    outbox = [];
    if (items[0]) ask(items);
  }
  /** Answers from a leased result, if there is one. Each watch crosses all the same. */
  function mustCross(item: RequestItem): boolean {
    return !useLease(item[1] + item[2], (reply, lease) => pending.settle(item[0], reply, lease)) || item[3] === true;
  }
  /** Answers a call from its leased result. Returns false if there is none that may be used. */
  function useLease(call: string, answer: (reply: Reply, lease: LeasedItem) => void): boolean {
    const lease = leased.get(call);
    if (!lease || ++uses >= mostUses) return false;
    const nowMs = clock.now();
    const isUsed = isFresh(lease, nowMs);
    if (isUsed) answer(replyOf(lease, nowMs, 'cache'), lease);
    return isUsed;
  }
  function ask(batch: readonly RequestItem[]): void {
    const text = JSON.stringify(batch);
    if (batch[1] && (text.length > batchText || batch.length > batchLimit)) askHalves(batch);
    else
      remote.call('request', [text], (answer) => {
        if (Array.isArray(answer)) settle(answer);
        else if (batch[1] && (answer as Failure).error.code === 413) {
          forget(); // from now on: writes of this batch come after later reads
          askHalves(batch);
        } else for (const [id] of batch) pending.settle(id, answer as Failure);
      });
  }
  function askHalves(batch: readonly RequestItem[]): void {
    const half = batch.length / 2;
    ask(batch.slice(0, half));
    ask(batch.slice(half));
  }
  function settle(replies: readonly ReplyItem[]): void {
    const nowMs = clock.now();
    for (const item of replies) {
      const id = item[0];
      const { call = '', known } = pending.get(id) ?? {};
      const isKnown = known && known === leased.get(call) && isLeased(item); // a watch that began with this result
      if (!isKnown) pending.settle(id, replyOf(item, nowMs));
      if (call && isLeased(item) && id > lastWrite) leased.set(call, item);
    }
  }
  /** Forgets the leased results from before a write, or all and for ever. */
  function forget(write = Number.POSITIVE_INFINITY): void {
    leased.clear();
    lastWrite = write;
  }
  function flushCancelled(): void {
    remote.call('cancel', [cancelled]);
    cancelled = [];
  }
  function end(error: WireError): void {
    if (ended) return;
    ended = error;
    outbox = [];
    forget();
    stopWaiting();
    port.close();
    welcome.reject(new OsapiError(error));
    pending.end(error);
  }

  function onEvent(name: string, data: unknown): void {
    const ofName = listeners.get(name);
    for (const listener of ofName ?? []) queueMicrotask(() => listener(data));
    if (!ofName) early.set(name, [...(early.get(name) ?? []), data].slice(-maxEarly));
  }

  function onMessage({ data }: MessageEvent<ContainerMessage>): void {
    uses = 0;
    switch (data.gantry) {
      case 'welcome':
        stopWaiting();
        capabilities = data.capabilities;
        if (!lastWrite) for (const [call, reply] of data.preloads ?? []) leased.set(call, reply);
        welcome.resolve(data.context);
        flush();
        break;
      case 'replies':
        settle(data.replies);
        break;
      case 'ended':
        for (const [call, [id]] of leased) if (data.leases.includes(id)) leased.delete(call);
        break;
      case 'closed':
        end(data.error);
        break;
      case 'ping':
        remote.call('pong', [data.number]);
        break;
      case 'event':
        onEvent(data.name, data.data);
        break;
      default:
        remote.receive(data);
    }
  }

  const stopWaiting = clock.after(timeoutMs, () => end(timedOut(timeoutMs)));
  port.addEventListener('message', onMessage);
  port.start();
  if (!sayHello(app, theirs)) {
    end(appError('UNAVAILABLE', 'No Gantry container opened this document.'));
  }

  return {
    welcome: welcome.promise,
    send({ operation, params, write }, answer, { signal, timeoutMs: ownTimeoutMs } = {}) {
      // No time-out for writes: the page keeps and repeats them until they have a result.
      const isWrite = !operation.endsWith('.get');
      const call = operation + params;
      // Not with a signal, which may abort within this tick.
      if (!signal && leased.size > 0 && useLease(call, answer)) return;
      const id = pending.add(answer, {
        timeoutMs: ownTimeoutMs ?? (isWrite ? Number.POSITIVE_INFINITY : timeoutMs),
        signal,
        call,
      });
      if (!id) return;
      if (isWrite) forget(id);
      enqueue(write ? [id, operation, params, write] : [id, operation, params]);
    },
    watch({ operation, params }, push) {
      let stopped = false;
      // In a microtask, so that a listener that throws affects no other reply.
      const deliver = (reply: Reply): void => queueMicrotask(() => !stopped && push(reply));
      const id = pending.add(deliver, { timeoutMs, watched: true, call: operation + params });
      if (id) enqueue([id, operation, params, true]);
      return () => {
        stopped = true;
        if (id && pending.remove(id)) giveUp(id);
      };
    },
    act(name, ...args) {
      return new Promise((resolve) => {
        const id = pending.add(resolve, { timeoutMs: Number.POSITIVE_INFINITY });
        if (!id) return;
        const settle = (reply: unknown) => pending.settle(id, reply as Reply);
        const refuse = () => settle({ error: appError('BAD_REQUEST', 'Only plain data can cross the port.') });
        welcome.promise.then(() => remote.call('act', [name, args], settle)).catch(refuse);
      });
    },
    can: (action) => capabilities?.includes(action) ?? false,
    on(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      for (const data of early.get(name) ?? []) queueMicrotask(() => ofName.has(listener) && listener(data));
      early.delete(name);
      return () => void ofName.delete(listener);
    },
  };
}

function sayHello(app: AppWindow | undefined, port: MessagePort): boolean {
  if (!app || (app.parent as unknown) === app) return false;
  try {
    const address = takeHelloFragment(app);
    if (!address) return false;
    const { nonce, origin } = address;
    const hello: Hello = { gantry: 'hello', ...helloVersions, nonce, capabilities: ['events', 'leases'] };
    app.parent.postMessage(hello, origin, [port]);
    return true;
  } catch {
    return false; // not a container's fragment
  }
}
