import { type Reply, resolveRequest } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue } from '../calls/call-queue.ts';
import { appReplaced, viewerChanged } from '../calls/failures.ts';
import { orderingKeyOf, type Scope } from '../calls/scope.ts';
import type { OpenSessions, Session } from '../calls/session.ts';
import type { BarePlace, Place } from '../gadget.ts';
import type { Pend } from '../results/optimistic.ts';
import type { ContainerStorage } from '../storage.ts';
import { createOutbox } from './create-outbox.ts';
import type { Entry } from './entry.ts';
import { createOutboxStorage } from './idb-storage.ts';
import { type Outbox, outboxMark, type PageOutbox } from './outbox.ts';
import { showWaiting } from './waiting-line.ts';

// In one file, which is fetched after the first gadget is mounted: no first paint needs it.
export { createFreshness } from '../results/freshness.ts';

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
  const places = new Map<AnyPlace, string>();

  function showLine({ element, gadget, messages }: AnyPlace, reports = gadget.writes.reports()): void {
    if (element) showWaiting({ element, messages, reports, clock });
  }

  async function sessionFor(scope: Scope): Promise<Reply<Session>> {
    const isFor = (session: Session) =>
      session.scope.owner === scope.owner && orderingKeyOf(session.scope) === orderingKeyOf(scope);
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
      for (const [place, name] of places) {
        if (name !== nameOf(scope)) continue;
        place.emit('write', report);
        showLine(place);
      }
    },
    clock,
    sessionFor,
    storage: storage?.writes ?? createOutboxStorage(),
    channel: storage ? undefined : new BroadcastChannel(outboxMark),
    // Locks are absent on plain-http addresses; the ids of writes suffice then.
    exclusive: async (name, work) => (!storage && navigator.locks ? navigator.locks.request(name, work) : work()),
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
      places.set(place, nameOf(scope));
      const texts = new Set(reports.map((report) => JSON.stringify(report)));
      // Also writes that ended after the app's welcome was written.
      for (const report of outbox.reports(scope)) {
        if (report.state !== 'sending' && !texts.has(JSON.stringify(report))) place.emit('write', report);
      }
      showLine(place);
      return () => {
        places.delete(place);
        const isHeldOn = [...places.keys()].some(({ element }) => element === place.element);
        if (!isHeldOn) showLine(place, []);
      };
    },
  };
}

/** A place on a page, or one without an element. */
type AnyPlace = BarePlace & Partial<Pick<Place, 'element'>>;

function nameOf(scope: Scope): string {
  return orderingKeyOf(scope) + scope.owner;
}
