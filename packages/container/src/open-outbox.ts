import {
  type Clock,
  type Instance,
  type InstanceAnswer,
  type InstanceRequest,
  type Reply,
  resolveRequest,
} from '@gantry/wire';
import type { CallQueue } from './call-queue.ts';
import type { PendingWrite } from './optimistic.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Entry } from './outbox-entry.ts';
import { showWaiting } from './outbox-line.ts';
import { createOutboxStorage } from './outbox-storage.ts';
import type { BarePlace, Surroundings } from './place.ts';
import { laneOf, type Scope } from './scope.ts';
import { appReplaced, type Session, viewerChanged } from './session.ts';
import type { ContainerStorage } from './storage.ts';
import { type AttendedOutbox, outboxMark } from './writes.ts';

/** What the outbox needs of the page that it is on. */
export interface OutboxSetting {
  readonly queue: CallQueue;
  /** As `Upkeep.pend`. */
  readonly pend: (write: PendingWrite) => (reply: Reply) => Promise<void>;
  readonly clock: Clock;
  /** The browser's own by default, with its channel and locks. */
  readonly storage: ContainerStorage | undefined;
  readonly mounted: () => Iterable<Session>;
  readonly open: (request: InstanceRequest) => Promise<InstanceAnswer>;
  readonly begin: (request: InstanceRequest, instance: Instance) => Session;
}

/** The outbox of this browser, with what earlier pages left in it. */
export async function openOutbox(setting: OutboxSetting): Promise<AttendedOutbox> {
  const { queue, pend, clock, storage, mounted, open, begin } = setting;

  const places = new Map<AnyPlace, string>();

  function showLine({ element, gadget, messages }: AnyPlace, reports = gadget.writes.reports()): void {
    if (element) showWaiting({ element, messages, reports, clock });
  }

  async function sessionFor(scope: Scope): Promise<Reply<Session>> {
    const isFor = (session: Session) => session.scope.owner === scope.owner && laneOf(session.scope) === laneOf(scope);
    const here = [...mounted()].find(isFor);
    if (here !== undefined) return { ok: here };
    const request = { app: scope.app, ...(scope.owner !== null && { owner: scope.owner }) };
    const answer = await open(request);
    if ('error' in answer) return answer;
    const session = begin(request, answer.ok);
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
      return () => undefined; // the site will say what is wrong with it
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
      for (const [place, where] of places) {
        if (where !== placeOf(scope)) continue;
        place.emit('write', report);
        showLine(place);
      }
    },
    clock,
    sessionFor,
    storage: storage?.writes ?? createOutboxStorage(),
    channel: storage ? undefined : new BroadcastChannel(outboxMark),
    // Locks are absent on plain-http addresses; the ids of writes then do alone.
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
    attend(scope, place: AnyPlace, told) {
      places.set(place, placeOf(scope));
      const known = new Set(told.map((report) => JSON.stringify(report)));
      // Also what came to its end after the app's welcome was written.
      for (const report of outbox.reports(scope)) {
        if (report.state !== 'sending' && !known.has(JSON.stringify(report))) place.emit('write', report);
      }
      showLine(place);
      return () => {
        places.delete(place);
        const isHeldOn = [...places.keys()].some(({ element }) => element === place.element); // by the load after this one
        if (!isHeldOn) showLine(place, []);
      };
    },
  };
}

/** Shows waiting writes where there is an element for it. */
type AnyPlace = BarePlace & Partial<Surroundings>;

function placeOf(scope: Scope): string {
  return laneOf(scope) + scope.owner;
}
