import { systemClock, type WriteReport } from '@gantry/bridge';
import { type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue } from '../../src/calls/call-queue.ts';
import { appReplaced, viewerChanged } from '../../src/calls/failures.ts';
import type { Scope } from '../../src/calls/scope.ts';
import type { Session } from '../../src/calls/session.ts';
import { createOutbox } from '../../src/outbox/create-outbox.ts';
import type { Outbox, OutboxChannel } from '../../src/outbox/outbox.ts';

type StorageOperation = 'all' | 'get' | 'put' | 'remove' | 'clear';

/** Fate of one POST: `after` is done, and its response is lost. */
export type Fate = 'done' | 'before' | 'after';

export const ann: Scope = { upstream: 'u', app: 'notes', viewer: '1', owner: '1', since: 0 };
export const sessionOf = (scope: Scope): Session => ({
  scope,
  rights: { uses: [], permissions: [] },
  since: undefined,
  credentials: async () => offline,
});
export const offline: Reply<never> = { error: new SocialError('UNAVAILABLE', 'Offline.').toWire() };
export const save = (value: string) => ({ operation: 'appdata.update', params: { data: { a: value } } });
export const post = (title: string) => ({ operation: 'activities.create', params: { activity: { title } } });

/** One browser before one proxy, which does a write once for each id. */
export function createBrowser({
  clock = systemClock,
  fates = [],
}: {
  readonly clock?: Clock;
  readonly fates?: Fate[];
} = {}) {
  const stored = new Map<string, unknown>();
  const done = new Map<string, Reply>();
  const channels = new Set<OutboxChannel>();
  const locks = new Map<string, Promise<void>>();
  let leaving: Fate | undefined;
  /** Calls that are sent together are one POST, which arrives as a whole or not at all. */
  function fateOfPost(): Fate {
    if (leaving === undefined) queueMicrotask(() => (leaving = undefined));
    leaving ??= browser.fates.shift() ?? 'done';
    return leaving;
  }
  async function operate<T>(operation: StorageOperation, work: () => T, key?: string): Promise<T> {
    if (operation !== 'all') browser.operations += 1;
    const fault = browser.fault?.(operation, key);
    if (fault !== undefined) await fault;
    return work();
  }
  const browser = {
    stored,
    done: () => [...done.keys()],
    attempts: [] as string[],
    fates,
    answer: (_request: ResourceRequest): Reply => ({ ok: {} }),
    nowMs: 1_790_000_000_000,
    /** Time that reading the clock takes. */
    lookMs: 0,
    hasLocks: true,
    /** A tab that is frozen has the lock. */
    isLockHeld: false,
    /** The mark that an earlier page left writes; lost with its storage. */
    hasMark: true,
    /** Called before each operation of the storage, which it may delay or fail. */
    fault: undefined as ((operation: StorageOperation, key?: string) => Promise<void> | undefined) | undefined,
    /** Counts operations of the storage on single entries. */
    operations: 0,
    /** Counts how often a tab heard that writes are, or are not, lost with it. */
    keptChanges: 0,
    viewer: '1',
    upstream: 'u',
    async openTab(reports: WriteReport[] = []): Promise<Outbox & { kill(): void }> {
      let isDead = false;
      const never = new Promise<never>(() => undefined);
      const queue: CallQueue = {
        async send(session, request, { write, onLeave, onLost }) {
          const fate = fateOfPost();
          onLeave?.();
          await Promise.resolve();
          const id = write?.id as string;
          browser.attempts.push(id);
          if (session.scope.viewer !== browser.viewer) throw new Error('sent for another member');
          const reply = fate === 'before' ? offline : (done.get(id) ?? browser.answer(request));
          if ('ok' in reply) done.set(id, reply);
          if (isDead) return never;
          if (fate === 'done') return reply;
          onLost?.();
          return offline;
        },
      };
      const channel: OutboxChannel = {
        onmessage: null,
        postMessage(data) {
          for (const other of channels) {
            if (other !== channel) other.onmessage?.({ data: structuredClone(data) } as MessageEvent);
          }
        },
      };
      channels.add(channel);
      const outbox = await createOutbox({
        queue,
        channel,
        storage: {
          all: () => operate('all', () => [...stored.values()].map((entry) => structuredClone(entry))),
          get: (key) => operate('get', () => structuredClone(stored.get(key)), key),
          put: (key, entry) => operate('put', () => void (isDead || stored.set(key, structuredClone(entry))), key),
          remove: (key) => operate('remove', () => void (isDead || stored.delete(key)), key),
          clear: () => operate('clear', () => stored.clear()),
        },
        async sessionFor(scope) {
          if (scope.viewer !== browser.viewer) return viewerChanged;
          return scope.upstream === browser.upstream ? { ok: sessionOf(scope) } : appReplaced;
        },
        exclusive(name, work, signal) {
          if (browser.isLockHeld) return new Promise((_, reject) => signal.addEventListener('abort', reject));
          if (!browser.hasLocks) return Promise.reject(new DOMException('Denied.', 'SecurityError'));
          const turn = (locks.get(name) ?? Promise.resolve()).then(() => (isDead ? never : work()));
          locks.set(name, turn);
          return turn;
        },
        report: (_scope, report) => void reports.push(report),
        show: () => () => undefined,
        clock: {
          ...clock,
          now() {
            browser.nowMs += browser.lookMs;
            return browser.nowMs;
          },
          random: () => 0.5,
        },
        mark: () => undefined,
        hasEarlier: browser.hasMark && stored.size > 0,
        onKept() {
          browser.keptChanges += 1;
        },
      });
      outbox.wake(browser.viewer);
      return {
        ...outbox,
        kill() {
          isDead = true;
          channels.delete(channel);
          for (const name of locks.keys()) locks.delete(name); // a dead tab's locks are released
        },
      };
    },
  };
  return browser;
}

export const write = (tab: Outbox, id: string, request: ResourceRequest = save(id), options: object = {}) =>
  tab.add(sessionOf(ann), request, { write: { id, ...options } });
export const turn = () => new Promise((resolve) => setImmediate(resolve));
export const states = (tab: Outbox) => tab.reports(ann).map(({ id, state }) => `${id} ${state}`);
