import { failure, randomNonce, type WriteReport } from '@gantry/bridge';
import { type Clock, type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import type { CallQueue, SendOptions } from './call-queue.ts';
import { aborted } from './flights.ts';
import { type Entry, isEntry, isPost, reportOf } from './outbox-entry.ts';
import { createIntake } from './outbox-intake.ts';
import { createLanes, type Lane } from './outbox-lanes.ts';
import { openShelf } from './outbox-shelf.ts';
import type { OutboxStorage } from './outbox-storage.ts';
import { verdictOf } from './outbox-verdict.ts';
import { laneOf, type Scope } from './scope.ts';
import type { Session } from './session.ts';

/**
 * Keeps every write until it is known what became of it: over lost connections, closed tabs and other members' visits. Each
 * is sent under its id as often as need be, which the proxy does once. The design is docs/decisions/0021-writes-happen-once.md.
 */
export interface Outbox extends CallQueue {
  /** The newest writes of a place, oldest first. */
  reports(scope: Scope): readonly WriteReport[];
  /**
   * This member is signed in, and the site may be in reach: sends what waits for that. Nobody else's is sent, and what
   * others have written and is done is forgotten.
   */
  wake(viewer?: string | null): void;
  /** Forgets everything, in every tab. */
  clear(): Promise<void>;
}

/** Other tabs of this browser. */
export interface OutboxChannel {
  postMessage(message: Entry | 'clear'): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface OutboxOptions {
  readonly queue: CallQueue;
  readonly storage: OutboxStorage;
  /** None where nobody else has the same storage. */
  readonly channel: OutboxChannel | undefined;
  /** A session that speaks for this scope and no other; an error where there is none, or nobody could be asked. */
  readonly sessionFor: (scope: Scope) => Promise<Reply<Session>>;
  /** Runs `work` while no other tab runs work of that name. */
  readonly exclusive: (name: string, work: () => Promise<void>) => Promise<void>;
  /** A write waits now, or is done. */
  readonly report: (scope: Scope, report: WriteReport) => void;
  /** Shows what a write of another page will do, until the returned function gets its reply. */
  readonly show: (entry: Entry) => (reply: Reply) => void;
  readonly clock: Clock;
  /** Hears whether a later page has to look for writes at once. */
  readonly mark: (isFilled: boolean) => void;
}

const hour = 3_600_000;
const postRepeatedMs = 47 * hour; // the proxy forgets a write after 48
const keptMs = 30 * 24 * hour;
const longestPauseMs = 60_000;
const shownReports = 20;

/** What this tab knows of a write of its own. */
interface Live {
  readonly session: Session;
  readonly failsOffline: boolean;
  readonly controller: AbortController;
  readonly onQueued: (() => void) | undefined;
  readonly callers: ((reply: Reply) => void)[];
}

/** Resolves when writes of earlier pages are here. Never rejects. */
export async function createOutbox(options: OutboxOptions): Promise<Outbox> {
  const { queue, storage, channel, sessionFor, exclusive, report, show, clock, mark } = options;
  const shelf = await openShelf({ storage, clock, mark });
  const lives = new Map<string, Live>();
  const shown = new Map<string, (reply: Reply) => void>();
  let viewerNow: string | null = null;
  const intake = createIntake({ shelf, clock });
  const lanes = createLanes({
    shelf,
    clock,
    exclusive,
    isHere: (viewer) => viewer === viewerNow,
    sendOwn,
    sendWaiting,
  });

  async function keep(entry: Entry): Promise<void> {
    // What its app wants to see fail must not be found waiting by a later page.
    if (lives.get(entry.key)?.failsOffline) shelf.mirror(entry);
    else await shelf.keep(entry);
  }

  function tell(entry: Entry): void {
    channel?.postMessage(entry);
    report(entry.scope, reportOf(entry));
  }

  function hold({ retryAtMs: _, ...entry }: Entry, retryAtMs?: number): void {
    const held: Entry = { ...entry, waits: true, ...(retryAtMs !== undefined && { retryAtMs }) };
    void keep(held);
    lives.get(entry.key)?.onQueued?.();
    if (!entry.waits || retryAtMs !== undefined) tell(held);
  }

  /** What came after one that waits, waits with it, or fails with it. */
  function holdBehind(of: Lane, reply: Reply): void {
    for (const entry of shelf.lane(of.name)) {
      if (entry.done !== undefined || entry.waits || of.flight?.keys.has(entry.key)) continue;
      if (lives.get(entry.key)?.failsOffline) finish(entry, reply);
      else hold(entry);
    }
  }

  function finish(entry: Entry, reply: Reply): void {
    if (shelf.get(entry.key)?.done !== undefined) return; // another tab was faster
    const done: Entry = { ...entry, done: { reply, atMs: clock.now() } };
    void keep(done);
    answer(done, reply);
    tell(done);
  }

  function answer({ key }: Entry, reply: Reply): void {
    const live = lives.get(key);
    lives.delete(key);
    shown.get(key)?.(reply);
    shown.delete(key);
    live?.onQueued?.();
    for (const resolve of live?.callers ?? []) resolve(reply);
  }

  async function sendOwn(of: Lane, entry: Entry, onLeave: () => void): Promise<void> {
    const live = lives.get(entry.key) as Live; // what has not waited is this tab's own
    const sent = send(of, entry, { session: live.session, onLeave });
    live.onQueued?.();
    await sent;
  }

  async function sendWaiting(of: Lane, entry: Entry): Promise<void> {
    const stored = await shelf.stored(entry.key);
    const ageMs = clock.now() - entry.addedAtMs;
    if (stored?.done !== undefined) adopt(stored);
    else if (entry.sent && isPost(entry) && ageMs > postRepeatedMs) finish(entry, nobodyKnows);
    else if (ageMs > keptMs) finish(entry, tooOld);
    else {
      const session = lives.get(entry.key)?.session;
      const found = session === undefined ? await sessionFor(entry.scope) : { ok: session };
      if ('error' in found) return settle(of, entry, { reply: found, isLost: true });
      const leaving = { ...entry, sent: true };
      await keep(leaving);
      await send(of, leaving, { session: found.ok });
    }
  }

  async function send(
    of: Lane,
    entry: Entry,
    { session, onLeave }: { readonly session: Session; readonly onLeave?: () => void },
  ): Promise<void> {
    let isLost = false;
    const reply = await queue.send(session, entry.request, {
      isWrite: true,
      write: { id: entry.id },
      signal: lives.get(entry.key)?.controller.signal,
      ...(onLeave && { onLeave }),
      onLost() {
        isLost = true;
      },
    });
    settle(of, entry, { reply, isLost });
  }

  function settle(
    of: Lane,
    entry: Entry,
    { reply, isLost }: { readonly reply: Reply; readonly isLost: boolean },
  ): void {
    if (shelf.get(entry.key) === undefined) return; // everything was cleared meanwhile
    const failsOffline = lives.get(entry.key)?.failsOffline === true;
    const pauseMs = 'error' in reply ? (reply.error.data?.retryAfter ?? 0) * 1_000 : 0;
    switch (verdictOf(entry, reply, { isLost, failsOffline })) {
      case 'done':
        of.tries = 0;
        finish(entry, reply);
        break;
      case 'taken back':
        shelf.forget(entry);
        answer(entry, reply);
        break;
      case 'another':
        of.isPaused = true; // it is kept for its own member, and whoever is here now does not hear of it
        void keep({ ...entry, waits: true });
        answer(entry, reply);
        break;
      case 'again':
        of.tries += 1;
        of.retryAtMs = clock.now() + Math.max(pauseMs, backoffMs(of.tries) * (0.5 + clock.random() / 2));
        hold(entry);
        holdBehind(of, reply);
        break;
      case 'too soon':
        hold(entry, clock.now() + pauseMs);
    }
  }

  /** Takes over what another tab says of a write. */
  function adopt(entry: Entry): void {
    if (shelf.get(entry.key)?.done !== undefined) return;
    shelf.mirror(entry);
    if (entry.done !== undefined) answer(entry, entry.done.reply);
    else showHere(entry);
    report(entry.scope, reportOf(entry));
    const of = lanes.of(entry.scope);
    // Another tab has just tried it: its pause is this tab's, too.
    if (entry.done === undefined) of.retryAtMs = Math.max(of.retryAtMs, clock.now() + backoffMs(1));
    lanes.pump(of);
  }

  /** Of what this tab itself wrote, its results know already. */
  function showHere(entry: Entry): void {
    const { key, scope, done } = entry;
    if (scope.viewer !== viewerNow) shown.delete(key);
    else if (done === undefined && !lives.has(key) && !shown.has(key)) shown.set(key, show(entry));
  }

  function clear(): void {
    for (const entry of shelf.all()) {
      answer(entry, aborted);
      shelf.forget(entry);
    }
  }

  function giveUp(key: string, reason: unknown): void {
    const entry = shelf.get(key);
    if (entry?.done !== undefined || !isTakenBack(reason)) return;
    lives.get(key)?.controller.abort();
    if (entry === undefined || !entry.waits || lanes.of(entry.scope).flight?.keys.has(key)) return;
    answer(entry, aborted);
    shelf.forget(entry);
  }

  async function add(session: Session, request: ResourceRequest, options: SendOptions): Promise<Reply> {
    const { scope } = session;
    const { signal, write = {}, onQueued } = options;
    if (signal?.aborted && isTakenBack(signal.reason)) return aborted; // while the outbox was on its way
    const { id = randomNonce(clock), offline, queue: queues } = write;
    const of = lanes.of(scope);
    const known = intake.earlier(scope, request, id);
    if (known !== undefined && !('key' in known)) return known;
    const entry = known ?? intake.newEntry(scope, request, { id, queues: queues === true });
    const { key } = entry;
    const live = lives.get(key) ?? {
      session,
      failsOffline: offline === 'fail',
      controller: new AbortController(),
      onQueued,
      callers: [],
    };
    lives.set(key, live);
    if (known === undefined) void keep(entry);
    else onQueued?.();
    return new Promise((resolve) => {
      live.callers.push(resolve);
      signal?.addEventListener('abort', () => giveUp(key, signal.reason), { once: true });
      of.isPaused = false;
      of.retryAtMs = 0; // whoever writes is there, and so may the site be
      lanes.pump(of);
    });
  }

  if (channel)
    channel.onmessage = ({ data }) => {
      if (data === 'clear') clear();
      else if (isEntry(data)) adopt(data);
    };

  return {
    send: add,
    reports(scope) {
      const here = shelf.lane(laneOf(scope)).filter((entry) => entry.scope.owner === scope.owner);
      return here.slice(-shownReports).map(reportOf);
    },
    async clear() {
      clear();
      channel?.postMessage('clear');
      await shelf.emptied();
    },
    wake(viewer = viewerNow) {
      viewerNow = viewer;
      for (const entry of shelf.all()) {
        lanes.of(entry.scope);
        showHere(entry);
        // What is done waits for nobody, so it need not lie where another member looks.
        if (entry.done !== undefined && entry.scope.viewer !== viewer) shelf.forget(entry);
      }
      for (const of of lanes.all()) {
        of.isPaused = of.viewer !== viewer;
        of.retryAtMs = 0;
        lanes.pump(of);
      }
    },
  };
}

function backoffMs(tries: number): number {
  return Math.min(longestPauseMs, 1_000 * 2 ** (tries - 1));
}

const nobodyKnows = failure(
  'OUTCOME_UNKNOWN',
  'Nobody answered for two days, so whether this was posted is not known.',
);
const tooOld = failure('UNAVAILABLE', 'The site could not be reached for thirty days.');

/** An app that gives up a write that has not left takes it back. One whose document ended does not. */
function isTakenBack(reason: unknown): boolean {
  return !(reason instanceof SocialError) || reason.code === 'ABORTED';
}
