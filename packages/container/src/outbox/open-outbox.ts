import { type Reply, resolveRequest } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue } from '../calls/call-queue.ts';
import { appReplaced, viewerChanged } from '../calls/failures.ts';
import { perTick } from '../calls/per-tick.ts';
import { gadgetKeyOf, type Scope } from '../calls/scope.ts';
import type { OpenSessions, Session } from '../calls/session.ts';
import type { BarePlace, Place } from '../gadget.ts';
import type { Pend } from '../results/optimistic.ts';
import type { ContainerStorage } from '../storage.ts';
import { createOutbox } from './create-outbox.ts';
import type { Entry } from './entry.ts';
import { createOutboxStorage } from './idb-storage.ts';
import { hasEarlierWrites, type Outbox, outboxMark, type PageOutbox, type WaitingWrites } from './outbox.ts';
import { showWaiting } from './waiting-line.ts';

/** Opens the outbox of this browser, with the writes of earlier pages. */
export async function openOutbox(options: {
  readonly queue: CallQueue;
  readonly pend: Pend;
  readonly clock: Clock;
  /** The browser's own by default, with its channel and locks. */
  readonly storage: ContainerStorage | undefined;
  readonly sessions: Pick<OpenSessions, 'list' | 'open' | 'begin'>;
}): Promise<PageOutbox> {
  const { queue, pend, clock, storage, sessions } = options;
  const places = new Map<AnyPlace, Scope>();
  let isAskingToStay = false;

  function showLine({ element, messages }: AnyPlace, waiting: WaitingWrites = nothing): void {
    if (element) showWaiting({ element, messages, ...waiting, clock });
  }
  const showSoon = perTick<void>(() => {
    for (const [place, scope] of places) showLine(place, opened?.waiting(scope));
    if (opened?.hasUnkept() === isAskingToStay || !globalThis.document) return;
    isAskingToStay = !isAskingToStay;
    if (isAskingToStay) addEventListener('beforeunload', askToStay);
    else removeEventListener('beforeunload', askToStay);
  });

  async function sessionFor(scope: Scope): Promise<Reply<Session>> {
    const isFor = (session: Session) => gadgetKeyOf(session.scope) === gadgetKeyOf(scope);
    const here = sessions.list().find(isFor);
    if (here !== undefined) return { ok: here };
    const request = { app: scope.app, ...(scope.owner !== null && { owner: scope.owner }) };
    const answer = await sessions.open(request);
    if ('error' in answer) return answer;
    const session = sessions.begin(request, answer.ok);
    if (isFor(session)) return { ok: session };
    return session.scope.viewer === scope.viewer ? appReplaced : viewerChanged;
  }

  function show({ id, scope, request: sent, addedAtMs: atMs }: Entry): (reply: Reply) => void {
    try {
      const { app, viewer, owner } = scope;
      const request = resolveRequest(sent, { app, viewer: viewer ?? undefined, owner: owner ?? undefined });
      const settle = pend({ id, scope, request, atMs });
      return (reply) => void settle(reply);
    } catch {
      return () => undefined; // the site's reply will name the fault
    }
  }

  // Before anything is opened: where there is no page, nothing is left open.
  let opened: Outbox | undefined;
  if (!storage || globalThis.document) {
    addEventListener('online', () => opened?.wake());
    document.addEventListener('visibilitychange', () => document.hidden || opened?.wake());
  }
  const outbox = await createOutbox({
    show,
    queue,
    report(scope, report) {
      for (const [place, other] of places) if (gadgetKeyOf(other) === gadgetKeyOf(scope)) place.emit('write', report);
      showSoon();
    },
    clock,
    sessionFor,
    storage: storage?.writes ?? createOutboxStorage(() => opened?.keepAgain()),
    channel: storage ? undefined : openChannel(),
    // Locks are absent on plain-http addresses; the ids of writes suffice then.
    exclusive: async (name, work, signal) =>
      !storage && navigator.locks ? navigator.locks.request(name, { signal }, work) : work(),
    hasEarlier: hasEarlierWrites(storage),
    onKept: showSoon,
    mark(isFilled) {
      try {
        const { localStorage } = storage ?? globalThis;
        if (isFilled) localStorage.setItem(outboxMark, '1');
        else localStorage.removeItem(outboxMark);
      } catch {
        // denied, as IndexedDB will be
      }
    },
  });
  opened = outbox;
  return {
    ...outbox,
    follow(scope, place: AnyPlace, reports) {
      places.set(place, scope);
      const texts = new Set(reports.map((report) => JSON.stringify(report)));
      // Also writes that ended after the app's welcome was written.
      for (const report of outbox.reports(scope)) {
        if (report.state !== 'sending' && !texts.has(JSON.stringify(report))) place.emit('write', report);
      }
      showSoon();
      return () => {
        places.delete(place);
        const isHeldOn = [...places.keys()].some(({ element }) => element === place.element);
        if (!isHeldOn) showLine(place);
      };
    },
  };
}

/** A place on a page, or one without an element. */
type AnyPlace = BarePlace & Partial<Pick<Place, 'element'>>;

const nothing: WaitingWrites = { reports: [], areKept: true };

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(outboxMark);
  } catch {
    return undefined; // denied
  }
}
