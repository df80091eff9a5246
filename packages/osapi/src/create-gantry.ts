import { type AppContext, type ContainerConnection, OsapiError } from '@gantry/bridge';
import type { WireError } from '@gantry/wire';

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

/** What an app asks of the page around it. Every method settles; it rejects with an `OsapiError`. */
export interface Gantry {
  /** Undefined until the container has welcomed the app (`osapi.ready`). */
  readonly context: AppContext | undefined;
  /** Hears an event of the page, until the returned function is called. */
  on<Name extends keyof GantryEvents>(name: Name, listener: (detail: GantryEvents[Name]) => void): () => void;
}

// Every action of the container that an app may run; `ui.toast` becomes `gantry.ui.toast(…)`.
const actions: readonly string[] = [];

export function createGantry(connection: ContainerConnection): Gantry {
  const gantry: Record<string, unknown> & { context?: AppContext | undefined } = {
    context: undefined,
    on: connection.on,
  };
  for (const action of actions) {
    const path = action.split('.');
    const method = path.pop() as string;
    let group = gantry as Record<string, unknown>;
    for (const name of path) {
      group[name] ??= {};
      group = group[name] as Record<string, unknown>;
    }
    group[method] = async (...args: unknown[]) => {
      const reply = await connection.act(action, ...args);
      if ('error' in reply) throw new OsapiError(reply.error);
      return reply.ok;
    };
  }
  const learn = (context: AppContext): void => {
    gantry.context = context;
  };
  connection.welcome.then(learn, () => {}); // no container: there is no context
  connection.on('context', (context) => learn(context as AppContext));
  return gantry as unknown as Gantry;
}
