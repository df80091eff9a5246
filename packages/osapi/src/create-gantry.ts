import { type AppContext, type ContainerConnection, OsapiError } from '@gantry/bridge';
import type { PermissionName, WireError } from '@gantry/wire';

/** What an app hears from its page, by the name of the event. */
export interface GantryEvents {
  /** Something about the place changed, for example its language; the whole context, as it is now. */
  readonly context: AppContext;
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
  on<Name extends keyof GantryEvents>(name: Name, listener: (detail: GantryEvents[Name]) => void): () => void;
}

// Every action of the container that an app may run; `ui.toast` becomes `gantry.ui.toast(…)`.
const actions: readonly string[] = ['state.get', 'state.set', 'permissions.request', 'permissions.has'];

export function createGantry(connection: ContainerConnection): Gantry {
  const gantry: Record<string, unknown> & { context?: AppContext | undefined } = {
    context: undefined,
    on: connection.on,
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
  };
  connection.welcome.then(
    (context) => {
      learn(context);
      for (const [action, group, method] of methods) if (!connection.can(action)) delete group[method];
    },
    () => {}, // no container: there is no context
  );
  connection.on('context', (context) => learn(context as AppContext));
  return gantry as unknown as Gantry;
}
