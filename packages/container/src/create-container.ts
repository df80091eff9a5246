import { type AppRequest, failure, systemClock } from '@gantry/bridge';
import type { Change, Clock, Instance, InstanceAnswer, InstanceRequest, Reply } from '@gantry/wire';
import { createAnswering } from './answering.ts';
import type { OpenCall } from './answers.ts';
import type { DocumentAddress } from './app-document.ts';
import type { loadApp } from './app-load.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import type { createCare } from './care.ts';
import type { ContainerOptions, ToolOptions } from './container-options.ts';
import { within } from './deadline.ts';
import { followLater } from './follow.ts';
import type { Gadget, Mounted, OnReplace } from './gadget.ts';
import { loadMessages, type Messages, noMessages } from './messages/messages.ts';
import type { Observation } from './observing.ts';
import { perTick } from './per-tick.ts';
import { createProxyClient } from './proxy-client.ts';
import { createSession, type Session } from './session.ts';
import type { createStatus, News } from './status.ts';
import { createTurns, type Turns } from './turns.ts';
import type { Rollback, UpkeepOptions } from './upkeep.ts';
import { topOf } from './view-name.ts';

/** The page's side of Gantry: one for all gadgets of a page. */
export interface Container {
  /** BCP 47 tag of the page. */
  readonly locale: string;
  /** The container's own texts; in the page's language from the first `mount` that settled, empty before. */
  readonly messages: Messages;
  readonly clock: Clock;
  readonly tools: Omit<ToolOptions, 'observe'>;
  /** Absent where nobody observes. */
  readonly observed: ((spot: object, app: string) => Promise<Observation | undefined>) | undefined;
  readonly turns: Turns;
  readonly arrivals: Arrivals;
  /** What watches apps that run; fetched when the first one does. Nothing where it cannot be. */
  care(): Promise<ReturnType<typeof createCare> | undefined>;
  /** Has those who do not look told what becomes of a gadget. */
  inform(news: News): void;
  /**
   * Asks the proxy for an instance of an app; what is mounted in one tick is one POST. Its `preload` requests are asked
   * at once, before its frame exists.
   *
   * @param onReplace Another member is signed in now, or the member decided otherwise about the app: this gadget is dead
   * and must be mounted anew.
   * @param spot Stands for the gadget's place: calls that are observed are numbered there.
   */
  mount(request: InstanceRequest, onReplace: OnReplace, spot?: object): Promise<Reply<Gadget>>;
  /** Where the document of this app was when the viewer's page mounted it before. Its frame can load while the proxy is asked. */
  expected(request: InstanceRequest): DocumentAddress | undefined;
  /** Takes notice of what another page, member or part of the site changed: results that show it are asked again. */
  invalidate(changes: readonly Change[]): void;
  /**
   * Forgets every result and every write that waits, here and in the other pages of this browser; for the site to call after it signed its member
   * out. Gadgets are mounted anew. Resolves when nothing is left in this browser; never rejects.
   */
  purge(): Promise<void>;
}

const deciding = () => import('./consent/decide.ts');
const quietMs = 1_000; // no first paint waits for what tells how it went
const mountDeadlineMs = 20_000;
const maxInstances = 100; // the proxy's limit for one POST

/**
 * Makes the page's side of Gantry. Elements whose gadgets live in it are defined with `defineGadgetElement`.
 *
 * @example
 * defineGadgetElement(createContainer({ base: new URL('/gantry/', location.href) }));
 */
export function createContainer(options: ContainerOptions): Container {
  const { fetch = (...args) => globalThis.fetch(...args), storage, clock = systemClock, observe, ...tools } = options;
  const { follow = followLater } = options;
  const observing =
    observe &&
    import('./observing.ts').then(
      ({ createObserving }) => createObserving({ observe, clock }),
      () => undefined, // offline: its gadgets will not come either
    );
  const observed: Container['observed'] = observing && (async (spot, app) => (await observing)?.(spot, app));
  const locale = options.locale ?? pageLanguage();
  const base = new URL(options.base);
  const client = createProxyClient({ base, fetch });
  const mounted = new Map<Session, Mounted>();
  const expected = new Map<string, DocumentAddress>();
  let isViewerTold = false;
  let loading: Promise<typeof loadApp | undefined> | undefined;
  let care: Promise<ReturnType<typeof createCare>> | undefined;
  let status: Promise<ReturnType<typeof createStatus>> | undefined;
  let onMounted: (() => void) | undefined;
  let messages = noMessages;
  const translated = loadMessages(locale).then((loaded) => {
    messages = loaded;
  });

  const page: UpkeepOptions = {
    base,
    attention: options.attention,
    channel: options.channel,
    isAlone: storage !== undefined,
    onRollback(session, rollback) {
      for (const listener of mounted.get(session)?.rollbackListeners ?? []) listener(rollback);
    },
    onSignIn(message) {
      if ('decided' in message)
        void deciding().then(
          ({ learn }) => learn(mounted, message.decided),
          () => {}, // offline: the proxy knows all the same
        );
      else if ('purge' in message || isMountedForOther(message.viewer)) void replaceAll();
    },
  };
  const answers = createAnswering({
    client,
    storage,
    clock,
    onViewerChanged,
    onReplaced,
    page,
    sessions: () => mounted.keys(),
    open,
    begin,
  });

  /** Fetches what starts an app, from the beginning on: no app starts before the proxy has answered. */
  function loader(): Promise<typeof loadApp | undefined> {
    loading ??= import('./app-load.ts').then(
      ({ loadApp }) => loadApp,
      () => {
        loading = undefined; // offline: the next gadget tries again
        return undefined;
      },
    );
    return loading;
  }
  void loader();

  interface Opening {
    readonly request: InstanceRequest;
    readonly resolve: (answer: InstanceAnswer) => void;
  }
  const addOpening = perTick<Opening>((openings) => {
    for (let from = 0; from < openings.length; from += maxInstances) {
      void openTogether(openings.slice(from, from + maxInstances));
    }
  });

  async function openTogether(openings: readonly Opening[]): Promise<void> {
    const requests = openings.map(({ request }) => request);
    const [opened] = await Promise.all([
      within({ clock, ms: mountDeadlineMs }, (signal) => client.open(requests, signal)),
      answers.restored,
      translated,
      loader(),
    ]);
    openings.forEach(({ resolve }, index) => {
      resolve(opened[index] as InstanceAnswer);
    });
  }

  function open(request: InstanceRequest): Promise<InstanceAnswer> {
    return new Promise((resolve) => addOpening({ request, resolve }));
  }

  function begin(request: InstanceRequest, instance: Instance): Session {
    return createSession({ request, instance, open, clock, onViewerChanged, onReplaced });
  }

  function onViewerChanged(noticedBy: Session): void {
    if (!mounted.has(noticedBy)) return; // an earlier notice did, and these are its last calls
    isViewerTold = false;
    void replaceAll();
  }

  /** The gadget's app is no longer the one that is registered: the frame goes, and the new app starts with its own card. */
  function onReplaced(noticedBy: Session): void {
    const outdated = mounted.get(noticedBy);
    mounted.delete(noticedBy);
    expected.clear(); // no document of the new app before it was asked about
    outdated?.onReplace(true);
  }

  /** Everything on the page belongs to a member who is no longer the viewer. */
  async function replaceAll(): Promise<void> {
    const outdated = [...mounted.values()];
    mounted.clear();
    expected.clear();
    const purged = answers.purge();
    for (const { onReplace } of outdated) onReplace();
    await purged;
  }

  function isMountedForOther(viewer: string | null): boolean {
    return [...mounted.keys()].some(({ scope }) => scope.viewer !== viewer);
  }

  return {
    locale,
    clock,
    tools,
    observed,
    turns: createTurns(),
    arrivals: createArrivals(clock),
    care() {
      care ??= import('./care.ts').then(({ createCare }) => createCare(() => document.hidden));
      return care.catch(() => undefined);
    },
    get messages() {
      return messages;
    },
    inform(news) {
      status ??= new Promise((resolve) => setTimeout(resolve, quietMs))
        .then(() => import('./status.ts'))
        .then(({ createStatus }) => createStatus(() => messages));
      status.then((tell) => tell(news)).catch(() => {}); // offline: what is shown says it too
    },
    expected: (request) => expected.get(appOf(request)),
    invalidate: answers.invalidate,
    async purge() {
      answers.tell({ purge: true });
      await Promise.all([replaceAll(), answers.writes.clear()]);
    },
    async mount(request, onReplace, spot = {}) {
      const opened = await open(request);
      expected.delete(appOf(request));
      if ('error' in opened) return opened;
      const load = await loader();
      if (load === undefined) return failure('UNAVAILABLE', 'The site cannot be reached. The device may be offline.');
      const { instance, document, documents = {}, sandbox, context, consent, preload, declared } = opened.ok;
      const { canRemoveData = false } = opened.ok;
      const session = begin(request, opened.ok);
      const { viewer } = session.scope;
      if (isMountedForOther(viewer)) void replaceAll();
      void answers.purge(session.scope);
      if (!isViewerTold) answers.tell({ viewer }); // once: two pages of two viewers must not chase each other
      isViewerTold = true;
      const rollbackListeners = new Set<(rollback: Rollback) => void>();
      for (const { operation, params } of preload) {
        void answers.answer(session, { operation, params: JSON.stringify(params) });
      }
      const used = new Set<string>();
      const observation = observed && (await observed(spot, request.app));
      const heed = (reply: Reply): void => {
        if (!('error' in reply) || reply.error.data?.reason !== 'APP_NOT_ADDED') return;
        gadget.isNotAdded = true;
        gadget.onNotAdded?.();
      };
      const answer = (wanted: AppRequest, open?: OpenCall): Reply | Promise<Reply> => {
        if (declared?.includes(wanted.operation)) used.add(wanted.operation);
        const reply = answers.answer(session, wanted, open);
        if ('then' in reply) void reply.then(heed);
        return reply;
      };
      const watch: Gadget['watch'] = (wanted, push) => answers.watch(session, wanted, push);
      const gadget: Gadget = {
        clock,
        tools,
        texts: () => (storage ?? globalThis).sessionStorage,
        observed: observation,
        instance,
        load,
        declared,
        used,
        get document() {
          const { view } = this.shown;
          return documents[view] ?? documents[topOf(view)] ?? document;
        },
        sandbox,
        context,
        consent,
        canRemoveData,
        isNotAdded: false,
        decide: async (decision) =>
          (await deciding()).decide(
            { session, client, clock, mounted, tell: answers.tell, remount: onReplaced },
            decision,
          ),
        shown: { view: context.view, params: tools.params ?? {} },
        answer: observation?.answer(answer) ?? answer,
        watch: observation?.watch(watch) ?? watch,
        onRollback(listener) {
          rollbackListeners.add(listener);
          return () => rollbackListeners.delete(listener);
        },
        upstream: session.scope.upstream,
        writes: answers.writes.of(session.scope),
        close: () => mounted.delete(session),
      };
      mounted.set(session, { gadget, onReplace, rollbackListeners });
      if (consent.needed.length === 0) expected.set(appOf(request), { document: gadget.document, sandbox });
      answers.writes.wake(viewer);
      onMounted ??= follow({
        base,
        fetch,
        clock,
        isAlone: storage !== undefined,
        sessions: () => [...mounted.keys()],
        invalidate: answers.invalidate,
        onViewerChanged,
        onDecided(app) {
          void deciding().then(
            ({ ask }) => ask({ mounted, open, remount: onReplaced }, app),
            () => {},
          );
        },
      });
      onMounted();
      return { ok: gadget };
    },
  };
}

function appOf({ app, view }: InstanceRequest): string {
  return JSON.stringify([app, view]);
}

function pageLanguage(): string {
  return globalThis.document?.documentElement.lang || globalThis.navigator?.language || 'en';
}
