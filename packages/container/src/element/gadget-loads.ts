import { failureOf } from '@gantry/bridge';
import { SocialError, type VersionMismatch, type WireError } from '@gantry/wire';
import { giveFocus } from '../chrome/give-focus.ts';
import type { Container } from '../container-api.ts';
import type { Gadget } from '../gadget.ts';
import type { Budgets, Ended, GadgetState, LoadEnd } from '../gadget-state.ts';
import { type AppDocument, type DocumentAddress, openDocument } from '../load/app-document.ts';
import { budgetsWith } from '../load/budgets.ts';
import type { Watch } from '../load/responsiveness.ts';
import { createRestarts, type Restarts } from '../load/restarts.ts';
import type { AppLoad } from '../place.ts';
import type { Notices } from './gadget-body.ts';
import type { GadgetReports } from './gadget-reports.ts';

/** The element around the loads of an app. */
export interface LoadsHost {
  readonly element: HTMLElement & { readonly budgets: Partial<Budgets> | null; reload(): void };
  readonly container: () => Container;
  readonly reports: GadgetReports;
  title(): string;
  show(state: GadgetState): void;
  requestUpdate(): void;
  /** Renders now. */
  update(): void;
  /** Fetches the parts that are shown beside the app. */
  needChrome(): void;
  retitle(title?: string): void;
  fail(error: WireError, ended?: Ended, why?: string): void;
  /** Stops the app on the member's behalf. */
  stop(): void;
}

const maxThefts = 20; // that are reported

/** The loads of one gadget, one after the other, each with a document and a connection. */
export function createGadgetLoads(host: LoadsHost) {
  const { element, container, reports, show } = host;
  let document: AppDocument | undefined;
  let load: AppLoad | undefined;
  let notices: Notices = {};
  let leaveTurn: (() => void) | undefined;
  let watch: Watch | undefined;
  let stopRestart: (() => void) | undefined;
  let restarts: Restarts | undefined;
  let isReloadedByTools = false;
  let thefts = 0;
  let stopGuarding: (() => void) | undefined;

  function end(): void {
    stopRestart?.();
    leaveTurn?.();
    leaveTurn = undefined;
    load?.end();
    load = undefined;
    if (document) reports.observe('end');
    document?.end();
    document = undefined;
    stopGuarding?.();
    watch?.end();
    watch = undefined;
    notices = {};
  }

  function open(address: DocumentAddress): AppDocument {
    if (!document) {
      document = openDocument(address, { title: host.title(), clock: container().clock });
      stopGuarding = container().guardFocus?.(document.frame, onFocusTaken);
      reports.observe('start');
    }
    show('loading');
    return document;
  }

  /** Reports each theft; from the second on a notice offers to stop the app. A storm stops it. */
  function onFocusTaken(isStorm: boolean): void {
    thefts += 1;
    if (isStorm) fail('focus');
    else if (thefts <= maxThefts) {
      reports.incident('focus', { times: thefts });
      if (thefts > 1) notice({ isAccused: true });
    }
  }

  function start(gadget: Gadget): void {
    const page = container();
    const isOfOtherServer = gadget.context.permissions.some((name) => name.startsWith('server:'));
    isReloadedByTools = isOfOtherServer && page.tools.isDevelopment === true;
    try {
      load = page.load(gadget, {
        document: open(gadget),
        element,
        pendingLoads: page.pendingLoads,
        locale: page.locale,
        messages: page.messages,
        ...budgetsWith(element.budgets),
        dispatch: reports.dispatch,
        retitle: host.retitle,
        warn: (warning) => notice({ warning }),
        ask: (about, question) => notice({ [about]: question }),
        onReady: () => onReady(gadget),
        onLoad: () => watch?.check(),
        onEnd: (why, mismatch) => onEnd(gadget, why, mismatch),
      });
    } catch (error) {
      reportError(error); // an unsafe registration is the site's fault
      reports.incident('refused');
      host.fail(failureOf(error).error);
    }
  }

  function onReady(gadget: Gadget): void {
    restarts?.ready();
    reports.observe('ready');
    show('ready');
    const { activeElement } = element.shadowRoot as ShadowRoot;
    if (activeElement?.classList.contains('pane')) {
      host.update(); // a frame that is hidden takes no focus
      giveFocus(document?.frame); // the member waited for the app
    }
    void watchApp(gadget, load as AppLoad);
    reports.dispatch('gantry-ready', { app: gadget.context.app.id });
  }

  function onEnd(gadget: Gadget, ended: LoadEnd, versions?: VersionMismatch): void {
    const why = ended === 'silent' && document?.blocked ? 'blocked' : ended;
    if (why === 'moved') {
      end();
      start(gadget);
      return;
    }
    if (why === 'left') {
      reports.incident(why);
      restart('left', () => start(gadget));
    } else fail(why, versions);
  }

  function fail(why: Exclude<LoadEnd, 'left' | 'moved'>, versions?: VersionMismatch): void {
    const loaded = (document?.loads ?? 0) > 0;
    reports.incident(why, why === 'silent' ? { loaded } : { ...versions });
    const error = unavailable(container().messages[why]);
    host.fail(versions ? { ...error, data: { reason: 'VERSION_MISMATCH', versions } } : error, { why, loaded });
  }

  async function watchApp(gadget: Gadget, watched: AppLoad): Promise<void> {
    await container().pendingLoads.whenLoaded();
    const watchLoad = await container().responsiveness();
    if (load !== watched) return;
    host.needChrome();
    watch = watchLoad?.({
      ...budgetsWith(element.budgets),
      id: gadget.context.app.id,
      element,
      group: new URL(gadget.document).origin,
      ping: watched.ping,
      report: reports.incident,
      onSilence(silent) {
        notice({ silent });
        show('unresponsive');
      },
      onResponse() {
        notice({ silent: undefined });
        show('ready');
      },
      restart: () => restart('busy', () => start(gadget)),
      reload: () => element.reload(),
      stop: host.stop,
    });
    watch?.check();
  }

  /** Ends the load and runs `again` after a pause, longer each time, until that is enough. */
  function restart(why: 'left' | 'replaced' | 'busy', again: () => void): void {
    end();
    const { clock, messages } = container();
    restarts ??= createRestarts({ clock, isReloadedByTools });
    const delayMs = restarts.next();
    if (delayMs === undefined) {
      const reason = why === 'busy' ? why : 'reloads';
      host.fail(unavailable(messages[reason]), undefined, reason);
      return;
    }
    reports.observe('reload', why);
    reports.incident('restart', { delayMs });
    show('loading');
    stopRestart = clock.after(delayMs, again);
  }

  function notice(change: Notices): void {
    notices = { ...notices, ...change };
    host.needChrome();
    host.requestUpdate();
  }

  return {
    get frame(): HTMLIFrameElement | undefined {
      return document?.frame;
    },
    get current(): AppLoad | undefined {
      return load;
    },
    /** Those of the current load. */
    get notices(): Notices {
      return notices;
    },
    get isWaiting(): boolean {
      return leaveTurn !== undefined;
    },
    notice,
    /** Begins to load the document of an app that is not mounted yet. */
    prepare(address: DocumentAddress): void {
      try {
        open(address);
      } catch {} // `start` reports it
    },
    start,
    end,
    restart,
    /** Runs `begin` at once, or, for an element that loads lazily, when it is its turn. */
    wait(begin: () => Promise<void>, isEager: boolean): void {
      if (isEager) {
        void begin();
        return;
      }
      show('waiting');
      leaveTurn = container().loadOrder.wait(element, begin);
    },
    /** True if the gadget's document loads already, without its app. */
    isOpenFor: ({ document: url, sandbox }: Gadget): boolean =>
      load === undefined && document?.address.document === url && document.address.sandbox === sandbox,
    forgetRestarts(): void {
      restarts = undefined;
      thefts = 0;
    },
  };
}

/** Returns the error of an app that cannot be shown. */
export function unavailable(message: string): WireError {
  return new SocialError('UNAVAILABLE', message).toWire();
}
