import type { Instance, InstanceAnswer, InstanceRequest, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Gadget, OnReplace, Rollback } from '../gadget.ts';
import { withinDeadline } from './deadline.ts';
import { appReplaced, viewerChanged } from './failures.ts';
import { perTick } from './per-tick.ts';
import type { ProxyClient } from './proxy-client.ts';
import { type Rights, scopeOf } from './scope.ts';
import type { Credentials, OpenSessions, Session } from './session.ts';

export interface Mounted {
  readonly gadget: Gadget;
  /** Ends the gadget, which must be mounted anew. */
  readonly replace: OnReplace;
  readonly rollBack: (rollback: Rollback) => void;
}

/** The sessions of a page, and the gadgets that are mounted with them. */
export interface Sessions extends OpenSessions {
  add(session: Session, mounted: Mounted): void;
  get(session: Session): Mounted | undefined;
  /** Returns the gadget that it removed. */
  remove(session: Session): Mounted | undefined;
  /**
   * Makes requests for an app, or for all, that are on the way ask once more: the site changed it
   * or its member decided, before or after they were answered.
   */
  outdate(app?: string): void;
  /** True if a mounted gadget speaks for another member. */
  isForOther(viewer: string | null): boolean;
  /** Replaces all gadgets. Resolves when results of other members are forgotten. */
  replaceAll(): Promise<void>;
}

const maxInstances = 100; // the proxy's limit for one POST

/**
 * @param options.onViewerChanged Called before gadgets are replaced because of `viewerChanged`.
 * @param options.onAppReplaced Called before a gadget is replaced because of `appReplaced`.
 * @param options.onRenewed Called with the instance of a renewed token, whose rights may differ.
 * @param options.forget Forgets results and document addresses, before all gadgets are replaced.
 */
export function createSessions(options: {
  readonly client: Pick<ProxyClient, 'open'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly onViewerChanged: () => void;
  readonly onAppReplaced: () => void;
  readonly onRenewed: (session: Session, instance: Instance) => void;
  readonly forget: () => Promise<void>;
}): Sessions {
  const { client, clock, onViewerChanged, onAppReplaced, onRenewed, forget } = options;
  const mounted = new Map<Session, Mounted>();

  interface Opening {
    readonly request: InstanceRequest;
    readonly resolve: (answer: InstanceAnswer) => void;
    isOutdated?: boolean;
  }
  const underway = new Set<Opening>();
  const addOpening = perTick<Opening>((openings) => {
    for (let from = 0; from < openings.length; from += maxInstances) {
      void openTogether(openings.slice(from, from + maxInstances));
    }
  }, 'first'); // the parts of the script that were fetched run while the proxy answers

  async function openTogether(openings: readonly Opening[]): Promise<void> {
    const requests = openings.map(({ request }) => request);
    for (const opening of openings) underway.add(opening);
    const answers = await withinDeadline(clock, (signal) => client.open(requests, signal));
    for (const [index, opening] of openings.entries()) {
      underway.delete(opening);
      if (opening.isOutdated) addOpening({ ...opening, isOutdated: false });
      else opening.resolve(answers[index] as InstanceAnswer);
    }
  }

  function begin(request: InstanceRequest, opened: Instance): Session {
    const scope = scopeOf(opened);
    const { version } = opened;
    let instance = opened;
    let renewAtMs = renewalTime(instance);
    let renewal: Promise<Reply<Credentials>> | undefined;

    async function renew(): Promise<Reply<Credentials>> {
      const answer = await sessions.open({ ...request, ...(version && { version }) });
      if ('error' in answer) return answer;
      const { viewer, upstream } = scopeOf(answer.ok);
      if (viewer !== scope.viewer) {
        sessions.viewerChanged(session);
        return viewerChanged;
      }
      if (upstream !== scope.upstream) {
        sessions.appReplaced(session); // the frame still shows the app before, so it gets no token
        return appReplaced;
      }
      instance = answer.ok;
      session.rights = rightsOf(instance);
      renewAtMs = renewalTime(instance);
      onRenewed(session, instance);
      return { ok: instance };
    }

    const session: Session = {
      scope,
      version,
      rights: rightsOf(opened),
      since: opened.since,
      async credentials(refused) {
        if (instance.token !== refused && clock.now() < renewAtMs) return { ok: instance };
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        return renewal;
      },
    };
    return session;
  }

  function renewalTime({ expiresIn }: Instance): number {
    return clock.now() + expiresIn * 900; // nine tenths: it must not expire on the way
  }

  const sessions: Sessions = {
    open: (request) => new Promise((resolve) => addOpening({ request, resolve })),
    begin,
    add: (session, gadget) => void mounted.set(session, gadget),
    get: (session) => mounted.get(session),
    remove(session) {
      const removed = mounted.get(session);
      mounted.delete(session);
      return removed;
    },
    list: () => [...mounted.keys()],
    outdate(app) {
      for (const opening of underway) if (app === undefined || opening.request.app === app) opening.isOutdated = true;
    },
    isForOther: (viewer) => sessions.list().some(({ scope }) => scope.viewer !== viewer),
    viewerChanged(noticedBy) {
      if (!mounted.has(noticedBy)) return; // replaced by an earlier notice
      onViewerChanged();
      void sessions.replaceAll();
    },
    appReplaced(noticedBy) {
      const outdated = sessions.remove(noticedBy);
      onAppReplaced();
      outdated?.replace('decided');
    },
    async replaceAll() {
      const outdated = [...mounted.values()];
      mounted.clear();
      const forgotten = forget();
      for (const { replace } of outdated) replace();
      await forgotten;
    },
  };
  return sessions;
}

function rightsOf({ uses, context: { permissions } }: Instance): Rights {
  return { uses, permissions };
}
