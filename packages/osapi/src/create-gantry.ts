import { type AppContext, type ContainerConnection, OsapiError, type WriteReport } from '@gantry/bridge';
import type { PermissionName, WireError } from '@gantry/wire';

/** What an app hears from its page, by the name of the event. */
export interface GantryEvents {
  /** Something about the place changed, for example its language, theme or view; the whole context, as it is now. */
  readonly context: AppContext;
  /**
   * `hidden`: scrolled away or in another tab, and the time to save. `suspended`: that for a minute, or the browser froze the page
   * or keeps it for the back button; it may be discarded without another event.
   */
  readonly visibility: { readonly state: 'visible' | 'hidden' | 'suspended' };
  /**
   * The document is about to go. Calls still work; the container waits up to 500 ms for what listeners return. When the whole
   * page goes, it may come too late.
   */
  readonly teardown: undefined;
  /** A write of this app waits, or is done: also one that an earlier load of it made. */
  readonly write: WriteReport;
  /** A write of this app was shown and did not come to be, for example because the site refused it. What reads show is right again. */
  readonly rollback: Rollback;
}

/** A call that was taken back: its operation, its parameters as they were sent, and why. */
export interface Rollback {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: WireError;
}

/**
 * What an app asks of the page around it. Every method settles; it rejects with an `OsapiError`. From the welcome on,
 * methods that the page lacks are `undefined`; calls that were made earlier answer 501.
 */
export interface Gantry {
  /** Undefined until the container has welcomed the app (`osapi.ready`). */
  readonly context: AppContext | undefined;
  /**
   * What this app keeps for its place on the page, for this viewer and owner: it survives a reload of the app, a move of
   * the gadget and a reload of the page, and ends with the tab.
   */
  readonly state: {
    /** What was last set; undefined where nothing was. */
    get(): Promise<unknown>;
    /** Plain data, at most 64 KiB of JSON text (TOO_LARGE beyond); undefined forgets it. */
    set(value: unknown): Promise<void>;
  };
  /** What the member allowed the app; `gantry.context.permissions` is the same as a list. */
  readonly permissions: {
    /** Asks the member for what `gadget.json` lists in `optional`, such as `activities.post`. True if the app has all of it then. */
    request(names: readonly PermissionName[]): Promise<boolean>;
    has(name: PermissionName): Promise<boolean>;
  };
  /** Hears an event of the page, until the returned function is called. */
  on<Name extends keyof GantryEvents>(name: Name, listener: (detail: GantryEvents[Name]) => unknown): () => void;
  /** Shows one line of at most 100 characters as the gadget's heading and the name of its frame. Empty: the app's own name. */
  setTitle(title: string): Promise<void>;
  /**
   * Says a text to those who listen instead of looking, with the page's own live region: frames of their own are often not
   * heard. At most 300 characters, after the app's name while the focus is elsewhere.
   *
   * @param politeness `assertive` interrupts what is being said, if the focus is in the app. For what cannot wait.
   * @throws OsapiError 403 when nobody sees the app, 429 after ten in ten seconds.
   */
  announce(text: string, politeness?: 'polite' | 'assertive'): Promise<void>;
  readonly focus: {
    /**
     * Hands the focus back to the page, behind the gadget or before it: for an app that keeps Tab for itself. Tab goes on from there.
     *
     * @returns False if the focus is not in the app.
     */
    leave(direction: 'forward' | 'backward'): Promise<boolean>;
  };
  readonly views: {
    /**
     * Goes to a view of the manifest, or to a sub-view such as `canvas.map`. The page's address and back button know it.
     *
     * @param params Text by name, at most 20 and 2,000 characters altogether.
     * @returns False if the site does something else instead.
     * @throws OsapiError 400 for a view that the app has not, 403 for another view without a click or key of the member
     * just before, 429 for too many.
     */
    navigate(view: string, params?: Readonly<Record<string, string>>): Promise<boolean>;
  };
  /**
   * The site's own chrome. All text is shown as text, under the app's registered name.
   *
   * @throws OsapiError 403 when nobody sees the app, and, but for toasts, when the member has not just used it; 429 for
   * too much.
   */
  readonly ui: {
    /** A short text above the page's lower edge. Resolves when it is gone; to `action` if its button was pressed. */
    toast(text: string, options?: ToastOptions): Promise<'action' | 'closed'>;
    /** Up to three buttons, the chief one last; `OK` without any. Resolves to the label that was pressed, or undefined. */
    dialog(options: {
      readonly title?: string;
      readonly text: string;
      readonly buttons?: readonly string[];
    }): Promise<string | undefined>;
    /** Resolves to true for OK. */
    confirm(text: string): Promise<boolean>;
    /** The system's own sharing, or a dialog with a copy button. */
    share(options: {
      readonly title?: string;
      readonly text?: string;
      readonly url?: string;
    }): Promise<'shared' | 'copied' | 'cancelled'>;
    /** Opens a new tab: http, https or mailto. The member is asked first where it leads away from the site. */
    openLink(url: string): Promise<boolean>;
  };
}

export interface ToastOptions {
  /** `info` by default. */
  readonly kind?: 'info' | 'success' | 'warning' | 'error';
  /** 2,000 to 20,000; 6,000 by default, 10,000 with an action. It stands still under the pointer and the focus. */
  readonly durationMs?: number;
  /** Label of a button. */
  readonly action?: string;
}

// Every action of the container that an app may run; `ui.toast` becomes `gantry.ui.toast(…)`.
const actions =
  'state.get state.set permissions.request permissions.has setTitle announce focus.leave views.navigate ui.toast ui.dialog ui.confirm ui.share ui.openLink'.split(
    ' ',
  );

/** @param root Element of the app's document that gets the theme; undefined outside a browser. */
export function createGantry(connection: ContainerConnection, root?: HTMLElement): Gantry {
  const leaving = new Set<() => unknown>();
  const gantry: Record<string, unknown> & { context?: AppContext | undefined } = {
    context: undefined,
    on(name: string, listener: () => unknown) {
      if (name !== 'teardown') return connection.on(name, listener);
      leaving.add(listener);
      return () => void leaving.delete(listener);
    },
  };
  const methods: [action: string, group: Record<string, unknown>, method: string][] = [];
  for (const action of actions) {
    const path = action.split('.');
    const method = path.pop() as string;
    let group = gantry as Record<string, unknown>;
    for (const name of path) {
      group[name] ??= {};
      group = group[name] as Record<string, unknown>;
    }
    methods.push([action, group, method]);
    group[method] = async (...args: unknown[]) => {
      const reply = await connection.act(action, ...args);
      if ('error' in reply) throw new OsapiError(reply.error);
      return reply.ok;
    };
  }
  const learn = (context: AppContext): void => {
    gantry.context = context;
    for (const [name, value] of Object.entries(context.theme)) root?.style.setProperty(`--gantry-${name}`, value);
  };
  connection.welcome.then(
    (context) => {
      learn(context);
      for (const [action, group, method] of methods) if (!connection.can(action)) delete group[method];
    },
    () => {}, // no container: there is no context
  );
  connection.on('context', (context) => learn(context as AppContext));
  connection.on('teardown', async () => {
    await Promise.allSettled([...leaving].map(async (listener) => listener()));
    void connection.act('left');
  });
  return gantry as unknown as Gantry;
}
