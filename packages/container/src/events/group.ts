import { systemClock } from '@gantry/bridge';
import type { Change } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Session } from '../calls/session.ts';
import { type ConnectionEnd, hearEvents } from './connection.ts';
import type { Followed } from './followed.ts';

export type EventGroup = ReturnType<typeof createEventGroup>;

export interface GroupEnvironment {
  /** Without locks every page listens for itself. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  openChannel(name: string): Channel | undefined;
  onOnline(listener: () => void): void;
}

export type Channel = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>;

/** Subscription of a page: a token for each app and owner, kept on the site's origin (rule 9). */
interface StreamRequest {
  readonly key: string;
  readonly instance: string;
  readonly token: string;
  readonly since: string;
}

/**
 * To the page that listens: a page's requests, after a change or when asked; none when it leaves.
 */
interface StreamRequests {
  readonly page: number;
  readonly requests: readonly StreamRequest[];
}

/** To all pages, or, repeated, to one that came later. */
type Message =
  /** Sent by a page that begins to listen. */
  | { readonly ask: true }
  /** `from`: positions to resume from. */
  | { readonly heard: readonly Change[]; readonly from: readonly string[]; readonly covered: readonly string[] };

const gatherMs = 200;
const replayMs = 20_000;
const steadyMs = 10_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const restMs = 3_000; // spreads reconnects after a server stops
/** Most tokens of one stream, a limit of the proxy. */
const mostOfStream = 200;
/** Most streams of a page: browsers open six connections to an HTTP/1.1 host. */
const mostStreams = 3;
/** Most positions of one stream, a limit of the proxy. */
const mostPositions = 300;

/** The pages of one member in one browser. A Web Lock elects one that listens for all. */
export function createEventGroup(options: {
  readonly page: Followed;
  readonly viewer: string;
  readonly hear: (changes: readonly Change[]) => void;
  readonly environment: GroupEnvironment;
}) {
  const { page, viewer, hear, environment } = options;
  const { locks } = environment;
  const { clock } = page;
  const name = `gantry-events 4 ${page.base.pathname} ${viewer}`;
  const channel = locks && environment.openChannel(name);
  const ownId = clock.random();
  // A message to one page goes to no other: all pages would get as many as there are pages.
  const ownChannel = channel && environment.openChannel(`${name} ${ownId}`);
  const others = new Map<number, readonly StreamRequest[]>();
  /** Pages that have heard what is `recent`. */
  const informed = new Set<number>();
  let postedKeys = '';
  /** Positions to resume from: the earliest counts. */
  let from: readonly string[] = [];
  let covered: ReadonlySet<string> = new Set();
  let recent: readonly { readonly heard: readonly Change[]; readonly atMs: number }[] = [];
  let joined: AbortController | undefined;
  let isLeading = false;
  let widened = 0;
  let updated = Promise.resolve();
  /** Ends the connection or the pause. */
  let interrupt = () => {};

  async function ownRequests(): Promise<readonly StreamRequest[]> {
    const sessions = new Map<string, Session>();
    for (const session of page.sessions.list()) {
      const { app, owner } = session.scope;
      const key = JSON.stringify([app, owner]);
      if (!sessions.has(key)) sessions.set(key, session);
    }
    const requests = [...sessions].map(
      async ([key, { credentials, since = '' }]): Promise<readonly StreamRequest[]> => {
        const reply = await credentials();
        return 'ok' in reply ? [{ key, instance: reply.ok.instance, token: reply.ok.token, since }] : [];
      },
    );
    return (await Promise.all(requests)).flat();
  }

  function post(message: Message): void {
    channel?.postMessage(message);
  }

  function postTo(to: number | 'leader', message: StreamRequests | Message): void {
    const other = channel && environment.openChannel(`${name} ${to}`);
    other?.postMessage(message);
    other?.close();
  }

  async function postRequests(): Promise<void> {
    const requests = await ownRequests();
    postedKeys = keysOf(requests);
    postTo('leader', { page: ownId, requests });
  }

  /** Reopens the streams if requests are new: their own past comes with them. */
  function widen(requests: readonly StreamRequest[]): void {
    if (requests.every(({ key }) => covered.has(key))) return;
    widened += 1;
    interrupt();
  }

  function onMessage({ data }: MessageEvent<Message>): void {
    if ('ask' in data) void postRequests();
    else {
      covered = new Set(data.covered);
      from = data.from;
      hear(data.heard);
    }
  }

  function onRequests({ data: { page, requests } }: MessageEvent<StreamRequests>): void {
    if (requests.length === 0) {
      others.delete(page);
      informed.delete(page);
      return;
    }
    others.set(page, requests);
    widen(requests);
    if (informed.has(page)) return;
    informed.add(page);
    // Between its first answer and its first word it heard nothing.
    const missed = recent.filter(({ atMs }) => clock.elapsed() - atMs < replayMs);
    if (missed.length > 0) postTo(page, heardMessage(missed.flatMap(({ heard }) => heard)));
  }

  function heardMessage(heard: readonly Change[]): Message {
    return { heard, from, covered: [...covered] };
  }

  function onHeard(heard: readonly Change[]): void {
    const nowMs = clock.elapsed();
    recent = [...recent.filter(({ atMs }) => nowMs - atMs < replayMs), { heard, atMs: nowMs }].slice(-100);
    post(heardMessage(heard));
    hear(heard);
  }

  /** Opens as many streams as the requests need, until the first one ends. */
  function hearAll(requests: readonly StreamRequest[], signal: AbortSignal): Promise<ConnectionEnd> {
    const since = from.length > mostPositions ? unknownPosition : from;
    // By stream: to resume from the latest position would skip what another stream has yet to send.
    const positions = partsOf(requests).map((part) => ({ part, at: from }));
    const streams = positions.map((position) =>
      hearEvents({
        client: page.client,
        request: { tokens: Object.fromEntries(position.part.map(({ instance, token }) => [instance, token])), since },
        onHeard({ id, changes }) {
          if (id !== undefined) position.at = [id];
          from = [...new Set(positions.flatMap(({ at }) => at))];
          onHeard(changes);
        },
        signal,
      }),
    );
    return Promise.race(streams);
  }

  /** Waits until the time is over or `interrupt` is called. */
  function pause(ms: number, signal: AbortSignal, by: Pick<Clock, 'after'> = clock): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stop = by.after(ms, end);
      interrupt = end;
      signal.addEventListener('abort', end);
    });
  }

  async function gather(signal: AbortSignal): Promise<readonly StreamRequest[]> {
    others.clear();
    post({ ask: true });
    // Gathers gadgets that are mounted in sequence, by the machine's clock, as other pages do.
    await pause(gatherMs, signal, systemClock);
    const requests = [...[...others.values()].flat(), ...(await ownRequests())]; // this page's request wins
    return [...new Map(requests.map((request) => [request.key, request])).values()];
  }

  async function lead(signal: AbortSignal): Promise<void> {
    isLeading = true;
    informed.clear();
    const incoming = channel && environment.openChannel(`${name} leader`);
    if (incoming) incoming.onmessage = onRequests;
    let failures = 0;
    while (!signal.aborted) {
      const gatheredAt = widened;
      const requests = await gather(signal);
      if (signal.aborted) break;
      const fresh = requests.filter(({ key }) => !covered.has(key));
      from = [...new Set([...from, ...fresh.map(({ since }) => since)])]; // new requests have positions of their own
      covered = new Set(requests.map(({ key }) => key));
      if (requests.length === 0) {
        await pause(longestPauseMs, signal); // until a gadget is mounted
        continue;
      }
      const startedAtMs = clock.elapsed();
      const connection = new AbortController();
      const close = () => connection.abort();
      let isInterrupted = false;
      interrupt = () => {
        isInterrupted = true;
        close();
      };
      if (widened !== gatheredAt) continue;
      signal.addEventListener('abort', close, { once: true });
      const { why, retryAfter = 0 } = await hearAll(requests, connection.signal);
      close();
      signal.removeEventListener('abort', close);
      if (isInterrupted || signal.aborted) continue;
      const [first] = page.sessions.list();
      if (why === 'viewer' && first !== undefined) {
        joined = undefined;
        page.sessions.viewerChanged(first);
        break;
      }
      failures = clock.elapsed() - startedAtMs > steadyMs ? 0 : failures + 1;
      const waitMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs) * (0.5 + clock.random() / 2);
      await pause(why === 'later' ? restMs * clock.random() : Math.max(waitMs, retryAfter * 1000), signal);
    }
    isLeading = false;
    incoming?.close();
  }

  /** Leaves the listening to another page; changes still arrive. */
  function leave(): void {
    joined?.abort();
    joined = undefined;
  }

  for (const one of [channel, ownChannel]) if (one) one.onmessage = onMessage;
  environment.onOnline(() => interrupt());

  return {
    /** Competes for the lock. */
    join(): void {
      if (joined) return;
      joined = new AbortController();
      const { signal } = joined;
      if (locks && channel)
        locks.request(name, { signal }, () => lead(signal)).catch(() => {}); // aborted while it waited
      else void lead(signal);
    },
    /** A gadget was mounted. */
    update(): void {
      updated = updated.then(async () => {
        const requests = await ownRequests();
        if (isLeading) widen(requests);
        else if (keysOf(requests) !== postedKeys) await postRequests();
      });
    },
    leave,
    end(): void {
      leave();
      postTo('leader', { page: ownId, requests: [] });
      channel?.close();
      ownChannel?.close();
    },
  };
}

/** Splits requests by stream. The oldest beyond all streams rely on the age of their results. */
function partsOf(requests: readonly StreamRequest[]): readonly (readonly StreamRequest[])[] {
  const taken = requests.slice(-mostStreams * mostOfStream);
  const count = Math.ceil(taken.length / mostOfStream);
  return Array.from({ length: count }, (_, at) => taken.slice(at * mostOfStream, (at + 1) * mostOfStream));
}

/** A position that the proxy cannot read, so that it reports everything as stale. */
const unknownPosition = [''];

function keysOf(requests: readonly StreamRequest[]): string {
  return requests.map(({ key }) => key).join();
}
