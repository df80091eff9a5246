import type { WriteOptions } from '@gantry/bridge';
import { bounds, type Reply, type ResourceRequest, type WireError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { aborted } from './failures.ts';
import { perTick } from './per-tick.ts';
import type { ProxyClient } from './proxy-client.ts';
import type { Credentials, OpenSessions, Session } from './session.ts';

/** Sends the calls of all gadgets: those of one tick are one POST. */
export type CallQueue = ReturnType<typeof createCallQueue>;

export interface SendOptions {
  /** A write that has left the page is not given up: its outcome must become known. */
  readonly isWrite: boolean;
  /** Gives the call up: ABORTED. */
  readonly signal?: AbortSignal | undefined;
  readonly write?: WriteOptions | undefined;
  /** Called when the call has its place in the next POST: later calls do not overtake it. */
  readonly onQueued?: () => void;
  /** Called when the POST that takes it is put together: later calls go later. */
  readonly onLeave?: () => void;
  /** Called before the reply when there was no response, so that the outcome is unknown. */
  readonly onLost?: () => void;
}

interface QueuedCall {
  readonly session: Session;
  readonly request: ResourceRequest;
  readonly options: SendOptions;
  settle(reply: Reply): void;
  isSettled: boolean;
  /** Aborted when all calls of the POST are given up. */
  post?: { readonly calls: readonly QueuedCall[]; readonly controller: AbortController };
  /** The token that the proxy found expired; one renewal is enough. */
  refused?: string;
}

// The proxy's limits: 500 calls, 1 MiB, and a number of tokens. A character is at most three bytes.
const maxCalls = 500;
const maxCharacters = 300_000;
const offlineMs = 2_000; // a site on this machine still responds
const deadlineMs = 30_000; // the proxy's own deadlines are shorter: this one is for networks that went quiet

export function createCallQueue(options: {
  readonly client: ProxyClient;
  readonly clock: Clock;
  readonly sessions: Pick<OpenSessions, 'viewerChanged' | 'appReplaced'>;
}) {
  const { client, clock, sessions } = options;
  const add = perTick<QueuedCall>((calls) => void flush(calls));

  async function flush(calls: readonly QueuedCall[]): Promise<void> {
    for (const { options } of calls) options.onLeave?.();
    const ready = await Promise.all(
      calls.map(async (call) => {
        const credentials = await call.session.credentials(call.refused);
        if ('ok' in credentials) return [{ call, credentials: credentials.ok }];
        lose(call, credentials);
        return [];
      }),
    );
    const unsettled = ready.flat().filter(({ call }) => !call.isSettled);
    let lost: WireError | undefined;
    for (const part of inPosts(unsettled)) {
      const items = part.filter(({ call }) => !call.isSettled);
      // A later POST waits for the writes of an earlier one, and is lost with them.
      if (lost) for (const { call } of items) lose(call, { error: lost });
      else if (items.some(({ call }) => call.options.isWrite)) lost = await post(items);
      else void post(items);
    }
  }

  /** Resolves with the error of calls that got no reply, if any. */
  async function post(items: readonly ReadyCall[]): Promise<WireError | undefined> {
    const controller = new AbortController();
    const patienceMs = globalThis.navigator?.onLine === false ? offlineMs : deadlineMs;
    const stopWaiting = clock.after(patienceMs, () => controller.abort());
    const calls = items.map(({ call }) => call);
    for (const call of calls) call.post = { calls, controller };
    const body = {
      tokens: Object.fromEntries(items.map(({ credentials }) => [credentials.instance, credentials.token])),
      calls: items.map(({ call, credentials }, index) => ({
        id: String(index),
        instance: credentials.instance,
        operation: call.request.operation,
        params: call.request.params,
        ...(call.options.write && { write: call.options.write.id }),
      })),
    };
    const unanswered = await client.call(
      body,
      ({ id, ...reply }) => answer(items[Number(id)], reply),
      controller.signal,
    );
    stopWaiting();
    const lost = calls.filter(({ post, isSettled }) => post?.controller === controller && !isSettled);
    for (const call of lost) lose(call, { error: unanswered });
    return lost.length > 0 ? unanswered : undefined;
  }

  function lose(call: QueuedCall, reply: Reply): void {
    if (!call.isSettled) call.options.onLost?.();
    call.settle(reply);
  }

  function answer(item: ReadyCall | undefined, reply: Reply): void {
    if (item === undefined) return;
    const { call, credentials } = item;
    const reason = 'error' in reply ? reply.error.data?.reason : undefined;
    if (reason === 'TOKEN_EXPIRED' && call.refused === undefined) {
      // The proxy did nothing yet, so a write too may be sent with a new token.
      call.refused = credentials.token;
      delete call.post;
      add(call);
      return;
    }
    call.settle(reply);
    if (reason === 'VIEWER_CHANGED') sessions.viewerChanged(call.session);
    if (reason === 'APP_REPLACED') sessions.appReplaced(call.session);
  }

  return {
    /** Never rejects. */
    send(session: Session, request: ResourceRequest, options: SendOptions): Promise<Reply> {
      const { isWrite, signal } = options;
      if (signal?.aborted) return Promise.resolve(aborted);
      return new Promise((resolve) => {
        const call: QueuedCall = {
          session,
          request,
          options,
          isSettled: false,
          settle(reply) {
            call.isSettled = true;
            signal?.removeEventListener('abort', giveUp);
            resolve(reply);
          },
        };
        const giveUp = () => {
          if (isWrite && call.post !== undefined) return;
          call.settle(aborted);
          if (call.post?.calls.every(({ isSettled }) => isSettled)) call.post.controller.abort();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        add(call);
        options.onQueued?.();
      });
    },
  };
}

interface ReadyCall {
  readonly call: QueuedCall;
  readonly credentials: Credentials;
}

function inPosts(calls: readonly ReadyCall[]): readonly (readonly ReadyCall[])[] {
  const posts: ReadyCall[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  let instances = new Set<string>();
  for (const item of calls) {
    const length = JSON.stringify(item.call.request).length;
    characters += length;
    instances.add(item.credentials.instance);
    const last = posts.at(-1);
    const isFull = last?.length === maxCalls || characters > maxCharacters || instances.size > bounds.tokens;
    if (last === undefined || isFull) {
      posts.push([item]);
      characters = length;
      instances = new Set([item.credentials.instance]);
    } else last.push(item);
  }
  return posts;
}
