import { systemClock } from '@gantry/bridge';
import type { InstanceRequest } from '@gantry/wire';
import { createAnswers } from './answers.ts';
import { outOfReach } from './calls/failures.ts';
import { createProxyClient } from './calls/proxy-client.ts';
import { createSessions } from './calls/sessions.ts';
import { createFocusGuard } from './chrome/focus-guard.ts';
import type { Container } from './container-api.ts';
import type { ContainerOptions } from './container-options.ts';
import { documentOf } from './document-of.ts';
import { followLater } from './events/follow.ts';
import { lazy } from './lazy.ts';
import type { DocumentAddress } from './load/app-document.ts';
import { createLoadOrder } from './load/load-order.ts';
import { createPendingLoads } from './load/pending-loads.ts';
import { loadMessages, noMessages } from './messages/messages.ts';
import type { LoadApp } from './place.ts';

const quietMs = 1_000; // announcements must not delay the first paint

/**
 * Makes the page's side of Gantry. Elements whose gadgets live in it are defined with
 * `defineGadgetElement`.
 *
 * @example
 * // browser
 * const container = createContainer({ base: location.origin, storage: createMemoryStorage() });
 * defineGadgetElement(container, 'example-gadget');
 * document.createElement('example-gadget') instanceof GantryGadget; // true
 */
export function createContainer(options: ContainerOptions): Container {
  const { fetch = (...args) => globalThis.fetch(...args), storage, clock = systemClock, observe, ...tools } = options;
  const { follow = followLater } = options;
  const base = new URL(options.base);
  const locale =
    options.locale ?? (globalThis.document?.documentElement.lang || globalThis.navigator?.language || 'en');
  const isAlone = storage !== undefined;
  // An observer must see every read, and apps have the machine's clock.
  const areLeased = observe === undefined && options.clock === undefined;
  const expected = new Map<string, DocumentAddress>();
  let isViewerBroadcast = false;
  let appChanges = 0;
  let onMounted: (() => void) | undefined;
  let messages = noMessages;
  const loadOrder = createLoadOrder();
  const asked = loadOrder.nextTask(); // the page’s gadgets, with the connection that it has
  const translated = asked.then(async () => {
    messages = await loadMessages(locale);
  });

  // Parts of the script that come when they are needed.
  const deciding = lazy(() => import('./consent/decide.ts'));
  const pausedApps = lazy(async () =>
    (await import('./consent/paused-apps.ts')).createPausedApps({ sessions, clock, isHidden: () => document.hidden }),
  );
  const app = lazy(async () => {
    await asked;
    const { loadApp, createRequestParser, ...parts } = await import('./element/app-load.ts');
    return { ...parts, load: loadApp, parse: createRequestParser() };
  });
  const watchdog = lazy(async () =>
    (await import('./load/responsiveness.ts')).createResponsiveness(() => document.hidden),
  );
  const announcer = lazy(async () => {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    return (await import('./element/announce-states.ts')).createStateAnnouncer(() => messages);
  });
  const observing = observe && lazy(async () => (await import('./observing.ts')).createObserving({ observe, clock }));
  const observed: Container['observed'] =
    observing &&
    ((host, id) =>
      observing
        .load()
        .then((observeAt) => observeAt(host, id))
        .catch(() => undefined));
  // From the beginning on, since no app starts before the proxy has answered.
  const loader = () => app.load().catch(() => undefined);
  void loader();
  void observing?.load().catch(() => undefined);

  const client = createProxyClient({ base, fetch });
  const sessions = createSessions({
    client,
    clock,
    onViewerChanged() {
      isViewerBroadcast = false;
    },
    onAppReplaced: () => expected.clear(), // no frame before the proxy answers
    onRenewed(session, instance) {
      answers.endLeases();
      if (session.version ?? instance.version)
        deciding.use(({ noteVersion }) => noteVersion(sessions, session, instance));
    },
    forget() {
      expected.clear();
      return answers.purge();
    },
  });
  const answers = createAnswers({
    client,
    storage,
    clock,
    sessions,
    part: app,
    page: {
      base,
      attention: options.attention,
      channel: options.channel,
      isAlone,
      onMessage(message) {
        if ('decided' in message) {
          deciding.use(({ learn }) => learn(sessions, message.decided)); // offline, the proxy knows of the decision
        } else if ('purge' in message || sessions.isForOther(message.viewer)) void sessions.replaceAll();
        else if ('preview' in message) deciding.use(({ learnPreview }) => learnPreview(sessions, message.preview));
      },
    },
  });

  /** Opens an instance. Its frame loads while other parts come. */
  async function open(request: InstanceRequest, onDocument: (address: DocumentAddress) => void) {
    const name = nameOf(request);
    const before = expected.get(name);
    if (before) void loadOrder.nextTask().then(() => onDocument(before)); // the POST first
    const answer = await sessions.open(request);
    expected.delete(name);
    if ('ok' in answer && answer.ok.consent.needed.length === 0) {
      const { context, sandbox, preview } = answer.ok;
      const address = { document: documentOf(answer.ok, context.view), sandbox };
      expected.set(name, address);
      if (!before && preview !== 'shown') onDocument(address); // no preview without its mark
    }
    return answer;
  }

  return {
    locale,
    clock,
    tools,
    observed,
    loadOrder,
    guardFocus: globalThis.document && createFocusGuard(),
    pendingLoads: createPendingLoads(clock),
    load: (...args) => (app.value as { load: LoadApp }).load(...args), // `mount` loaded it
    responsiveness: () => watchdog.load().catch(() => undefined),
    get messages() {
      return messages;
    },
    announce(change) {
      announcer.use((announce) => announce(change)); // offline, the state is visible
    },
    invalidate: answers.invalidate,
    async purge() {
      answers.broadcast({ purge: true });
      await Promise.all([sessions.replaceAll(), answers.writes.clear()]);
    },
    awaitResume(app, onResume) {
      let stop: (() => void) | undefined;
      let isOver = false;
      const before = appChanges;
      pausedApps.use(({ wait, check }) => {
        if (isOver) return;
        stop = wait(app, onResume);
        if (appChanges !== before) check(app);
      });
      return () => {
        isOver = true;
        stop?.();
      };
    },
    async mount(request, onReplace, host = {}, onDocument = () => {}) {
      answers.prepare();
      const opening = open(request, onDocument);
      const [answer, part] = await Promise.all([opening, loader(), answers.restored, translated]);
      if ('error' in answer) return answer;
      if (part === undefined) return outOfReach;
      const opened = answer.ok;
      const session = sessions.begin(request, opened);
      const { viewer } = session.scope;
      if (sessions.isForOther(viewer)) void sessions.replaceAll();
      void answers.purge(session.scope);
      if (!isViewerBroadcast) answers.broadcast({ viewer }); // else two pages of two viewers loop
      isViewerBroadcast = true;
      const preloads = opened.preload.map(({ operation, params }) => ({ operation, params: JSON.stringify(params) }));
      for (const call of preloads) void answers.answer(session, call);
      const parts = { session, sessions, client, clock, broadcast: answers.broadcast };
      const { gadget, rollBack } = part.createGadget(opened, {
        clock,
        tools,
        texts: () => (storage ?? globalThis).sessionStorage,
        observed: observed && (await observed(host, request.app)),
        upstream: session.scope.upstream,
        apps: () => sessions.list().flatMap((one) => sessions.get(one)?.gadget.context.app ?? []),
        answer: (call, open) => answers.answer(session, call, open),
        watch: (call, push) => answers.watch(session, call, push),
        ...(areLeased && { preloads, leases: (post) => answers.leases(session, post) }),
        writes: answers.writes.of(session.scope),
        decide: (decision) => deciding.load().then(({ decide }) => decide(parts, decision), unreachable),
        decidePreview: (accept) =>
          deciding.load().then(({ decidePreview }) => decidePreview(parts, accept), unreachable),
        async loadAnew(isDue = () => true) {
          const isGiven = 'ok' in (await sessions.open(request)); // else an app that runs would give way to an error
          if (!isGiven || !sessions.get(session) || !isDue()) return false;
          expected.clear();
          onReplace('version');
          return true;
        },
        close: () => void sessions.remove(session),
      });
      sessions.add(session, { gadget, replace: onReplace, rollBack });
      answers.writes.wake(viewer);
      onMounted ??= follow({
        ...{ base, client, clock, isAlone, sessions },
        invalidate: answers.invalidate,
        onAppChanged(changedApp) {
          appChanges += 1;
          sessions.outdate(changedApp);
          deciding.use(({ ask }) => void ask(sessions, changedApp));
          pausedApps.value?.check(changedApp);
        },
      });
      onMounted();
      return { ok: gadget };
    },
  };
}

const unreachable = () => outOfReach;

function nameOf({ app, view }: InstanceRequest): string {
  return JSON.stringify([app, view]);
}
