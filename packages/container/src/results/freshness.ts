import { type Change, changesOf, dependsOn, type Reply, type WireError } from '@gantry/wire';
import { type Attention, pageAttention } from '../attention.ts';
import { type Asked, orderingKeyOf, type Scope } from '../calls/scope.ts';
import { createLeases, type PageLeases } from './leases.ts';
import { overlayOf, type Pend, type PendingWrite } from './optimistic.ts';
import type { ParseRequest } from './parse-request.ts';
import { createPendingWrites } from './pending-writes.ts';
import type { Reads } from './reads.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import { joinTabs, openTabChannel, type TabChannel, type TabMessage } from './tabs.ts';
import { distinct, throttled, type WriteEffects } from './write-effects.ts';

/** Keeps results right over writes of this page, of other tabs and of other members. */
export interface Freshness {
  /** Returns the result that a read shows: the site's, with the pending writes over it. */
  over(read: Asked, base: unknown): unknown;
  readonly pend: Pend;
  readonly leases: PageLeases;
  /** Makes results stale that depend on changes made elsewhere; asks again for watched ones. */
  invalidate(changes: readonly Change[]): void;
  broadcast(message: TabMessage): void;
  /** Forgets pending writes. */
  forget(matches: (write: Asked) => boolean): void;
}

/** The page around results. Options with a default are the browser's own. */
export interface FreshnessOptions {
  /** Absolute URL of `/gantry/`. */
  readonly base: URL;
  readonly attention?: Attention | undefined;
  readonly channel?: TabChannel | undefined;
  /** Exchanges no messages with other pages. */
  readonly isAlone: boolean;
  /** Receives messages of another tab about members and permissions. */
  readonly onMessage: (message: Exclude<TabMessage, { readonly changes: unknown }>) => void;
}

const longestDelayMs = 1_000; // real time

export function createFreshness(
  parts: { readonly cache: ResultCache; readonly reads: Reads; readonly parse: ParseRequest },
  { base, attention = pageAttention(), isAlone, onMessage, ...options }: FreshnessOptions,
): Freshness {
  const { cache, reads } = parts;
  const channel = options.channel ?? (isAlone ? undefined : openTabChannel(base));
  const pending = createPendingWrites();
  const allEffects = new Map<string, WriteEffects>();
  const broadcast = joinTabs(channel, (message) => {
    if ('changes' in message) invalidate(message.changes);
    else onMessage(message);
  });
  attention.onReturn(() => {
    for (const read of reads.watched(() => true)) {
      const result = reads.kept(read);
      if (result === undefined || result.meta.stale) void reads.fetch(read);
    }
  });

  function mark(changes: readonly Change[], outdated: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    return cache.revise((result) =>
      result.outdated === 'here' || result.outdated === outdated || !isStale(result) ? result : { ...result, outdated },
    );
  }
  function outdate(changes: readonly Change[], by: Outdated): Promise<void> {
    reads.outdate(dependentOn(changes));
    return mark(changes, by);
  }
  function askAgain(changes: readonly Change[]): void {
    if (attention.isHidden()) return; // `onReturn` does it
    for (const read of reads.watched(dependentOn(changes))) void reads.fetch(read);
  }
  function invalidate(changes: readonly Change[]): void {
    void outdate(changes, 'elsewhere');
    askAgain(changes);
  }

  function effectsOf(scope: Scope): WriteEffects {
    const key = orderingKeyOf(scope);
    const earlier = allEffects.get(key);
    if (earlier !== undefined) return earlier;
    const showSoon = throttled(() => showEffects(effects));
    const nothing = { settled: [], touched: [], due: [], timer: undefined };
    const effects: WriteEffects = { ...nothing, scope, marked: new Map(), showSoon };
    allEffects.set(key, effects);
    return effects;
  }
  function touch(effects: WriteEffects, changes: readonly Change[]): void {
    effects.touched = distinct([...effects.touched, ...changes]);
    effects.showSoon();
  }

  function pend(write: PendingWrite): (reply: Reply) => Promise<void> {
    const { scope, request } = write;
    const effects = effectsOf(scope);
    const changes = changesOf(request, scope.app);
    for (const change of changes) {
      // Before the reply, since the next page must not find the old result fresh.
      if (change.member === scope.viewer && effects.marked.get(change.topic) === cache.version) continue;
      void mark([change], 'here');
      if (change.member === scope.viewer) effects.marked.set(change.topic, cache.version);
    }
    pending.add(write);
    touch(effects, changes);
    return (reply) =>
      new Promise((resolve) => {
        if ('ok' in reply) pending.confirm(write, reply.ok);
        effects.settled.push({ write, changes, reply, resolve });
        touch(effects, changes);
      });
  }

  /** Shows the effects of writes since the last time: each read once for all of them. */
  function showEffects(effects: WriteEffects): void {
    const { settled, touched } = effects;
    effects.settled = [];
    effects.touched = [];
    pending.remove(settled.map(({ write }) => write));
    const done = settled.flatMap(({ write, reply }) => ('ok' in reply ? [{ write, done: reply.ok }] : []));
    if (done.length > 0) {
      const overlay = overlayOf(done);
      void cache.revise((result) => {
        const value = overlay(result, result.value);
        return value === result.value ? result : { ...result, value };
      });
    }
    for (const read of reads.watched(dependentOn(touched))) {
      if (!reads.pushKept(read) && settled.length > 0) void reads.fetch(read);
    }
    const changed = settled.filter(({ reply }) => 'ok' in reply || isUnknown(reply.error));
    const changes = distinct(changed.flatMap((one) => one.changes));
    if (changes.length > 0) broadcast({ changes });
    const marked = changes.length > 0 ? outdate(changes, 'here') : undefined;
    for (const { resolve } of settled) resolve(marked);
    effects.due = [...effects.due, ...changes];
    askWhenDone(effects);
  }

  /** Asks once for writes that end one after the other, at the latest a second after the first. */
  function askWhenDone(effects: WriteEffects): void {
    if (effects.due.length === 0) return;
    if (pending.has(effects.scope)) effects.timer ??= setTimeout(ask, longestDelayMs, effects);
    else ask(effects);
  }
  function ask(effects: WriteEffects): void {
    clearTimeout(effects.timer);
    effects.timer = undefined;
    const { due } = effects;
    effects.due = [];
    askAgain(distinct(due));
  }

  return { over: pending.over, pend, leases: createLeases(parts), invalidate, broadcast, forget: pending.forget };
}

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}

// Given up, or failed between page and service.
function isUnknown({ code }: WireError): boolean {
  return code === 499 || code === 502 || code === 503 || code === 504;
}
