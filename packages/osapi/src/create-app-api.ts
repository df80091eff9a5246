import { type AppContext, type ContainerConnection, OsapiError, type WriteReport } from '@gantry/bridge';
import type { PermissionName, WireError } from '@gantry/wire';

/** Events of the page, with their details. */
export interface GantryEvents {
  /** The context changed, for example its language, theme or view. Brings the whole context. */
  readonly context: AppContext;
  /** `hidden`: out of view; save now. `suspended`: for a minute, or the page is frozen. */
  readonly visibility: { readonly state: 'visible' | 'hidden' | 'suspended' };
  /**
   * The document is about to be unloaded. Calls still work; the container waits up to 500 ms for
   * promises of listeners. May come too late when the whole page unloads.
   */
  readonly teardown: undefined;
  /** A write of this app, or of an earlier load of it, is waiting or done. */
  readonly write: WriteReport;
  /** An optimistic write was rolled back, for example because the site refused it. */
  readonly rollback: Rollback;
}

/** A write that was rolled back, its parameters as they were sent, and the error. */
export interface Rollback {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: WireError;
}

/**
 * API of the page around an app. Every promise settles, and rejects with an `OsapiError`. Once
 * `osapi.ready` resolves, methods that the page lacks are `undefined`; earlier calls of them reject
 * with 501.
 */
export interface Gantry {
  /** The app's context; `undefined` until `osapi.ready` resolves. */
  readonly context: AppContext | undefined;
  /** State of this gadget for viewer and owner. Survives reloads of the page; ends with the tab. */
  readonly state: {
    /** Resolves with the value that was set last, `undefined` if there is none. */
    get(): Promise<unknown>;
    /** Stores plain data of at most 64 KiB as JSON (TOO_LARGE beyond); `undefined` removes it. */
    set(value: unknown): Promise<void>;
  };
  /** Granted permissions; `gantry.context.permissions` is the list of them. */
  readonly permissions: {
    /** Asks for `optional` permissions of `gadget.json`. True if the app has all of them then. */
    request(names: readonly PermissionName[]): Promise<boolean>;
    has(name: PermissionName): Promise<boolean>;
  };
  /** Listens for an event of the page, until the returned function is called. */
  on<Name extends keyof GantryEvents>(name: Name, listener: (detail: GantryEvents[Name]) => unknown): () => void;
  /** Sets the heading: a line of at most 100 characters. Empty restores the app's name. */
  setTitle(title: string): Promise<void>;
  /**
   * Announces a text of at most 300 characters to screen readers, through the page's live region:
   * those of frames are often ignored. The app's name precedes it while the focus is elsewhere.
   *
   * @param politeness `assertive` interrupts other announcements, if the focus is in the app.
   * @throws OsapiError 403 if the app is not in view, 429 after ten in ten seconds.
   */
  announce(text: string, politeness?: 'polite' | 'assertive'): Promise<void>;
  readonly focus: {
    /**
     * Moves the focus to the page, behind the gadget or before it: for apps that handle Tab.
     *
     * @returns False if the focus is not in the app.
     */
    leave(direction: 'forward' | 'backward'): Promise<boolean>;
  };
  readonly views: {
    /**
     * Navigates to a view of the manifest, or to a sub-view such as `canvas.map`, and adds it to
     * the page's history.
     *
     * @param params Text by name, at most 20 and 2,000 characters altogether.
     * @returns False if the site prevented it.
     * @throws OsapiError 400 for an unknown view, 403 for another view without a recent click or
     * key of the member, 429 for too many.
     */
    navigate(view: string, params?: Readonly<Record<string, string>>): Promise<boolean>;
  };
  /**
   * Dialogs, toasts and links of the site. Texts are shown as text, under the app's registered
   * name.
   *
   * @throws OsapiError 403 if the app is not in view or, except for toasts, the member has not just
   * used it; 429 for too many.
   */
  readonly ui: {
    /** Shows a short text. Resolves when it is closed, with `action` if its button was pressed. */
    toast(text: string, options?: ToastOptions): Promise<'action' | 'closed'>;
    /** Shows a dialog; the main button, `OK`, is last. Resolves with the pressed label. */
    dialog(options: {
      readonly title?: string;
      readonly text: string;
      readonly buttons?: readonly string[];
    }): Promise<string | undefined>;
    /** Asks for confirmation. Resolves with true for OK. */
    confirm(text: string): Promise<boolean>;
    /** Opens the system's share sheet, or a dialog with a copy button. */
    share(options: {
      readonly title?: string;
      readonly text?: string;
      readonly url?: string;
    }): Promise<'shared' | 'copied' | 'cancelled'>;
    /** Opens an http, https or mailto address in a new tab; asks first if it leaves the site. */
    openLink(url: string): Promise<boolean>;
  };
}

export interface ToastOptions {
  /** `info` by default. */
  readonly kind?: 'info' | 'success' | 'warning' | 'error';
  /** 2,000 to 20,000; 6,000 by default, 10,000 with an action. Restarts after pointer or focus. */
  readonly durationMs?: number;
  /** Label of the toast's button. */
  readonly action?: string;
}

// All actions of the container; `ui.toast` becomes `gantry.ui.toast(…)`.
const actions =
  'state.get state.set permissions.request permissions.has setTitle announce focus.leave views.navigate ui.toast ui.dialog ui.confirm ui.share ui.openLink'.split(
    ' ',
  );

/** Creates `gantry`. `root` gets the theme as CSS variables; it is absent outside a browser. */
export function createAppApi(connection: ContainerConnection, root?: HTMLElement): Gantry {
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
    const [method = '', name] = action.split('.').reverse();
    if (name) gantry[name] ??= {};
    const group = name ? (gantry[name] as Record<string, unknown>) : gantry;
    methods.push([action, group, method]);
    group[method] = async (...args: unknown[]) => {
      const reply = await connection.act(action, ...args);
      if ('error' in reply) throw new OsapiError(reply.error);
      return reply.ok;
    };
  }
  const update = (context: AppContext): void => {
    gantry.context = context;
    for (const [name, value] of Object.entries(context.theme)) root?.style.setProperty(`--gantry-${name}`, value);
  };
  connection.welcome.then(
    (context) => {
      update(context);
      for (const [action, group, method] of methods) if (!connection.can(action)) delete group[method];
    },
    () => {}, // no container: there is no context
  );
  connection.on('context', (context) => update(context as AppContext));
  connection.on('teardown', async () => {
    await Promise.allSettled([...leaving].map(async (listener) => listener()));
    void connection.act('left');
  });
  return gantry as unknown as Gantry;
}
