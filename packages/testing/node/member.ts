import { type ContainerConnection, connectToContainer, createDirectHello } from '@gantry/bridge';
import { createContainer, createMemoryStorage, type Fetch, type Gadget } from '@gantry/container';
import { type AppLoad, budgetsWith, followChanges, startApp } from '@gantry/container/without-page';
import type { Scenario } from '@gantry/lab';
import { createSdk, delegate, type Sdk } from '@gantry/osapi/testing';
import { type Observe, SocialError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { isAbsent } from './absent.ts';
import { nodeFeatures } from './features.ts';

/** An app as one member uses it: container, port and SDK, without a page. */
export interface Member {
  readonly sdk: Sdk;
  /** Reconnects, after half a second for the app to save. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** One load: both ends of a port. */
interface Load {
  readonly sdk: Sdk;
  readonly app: AppLoad;
  readonly gadget: Gadget;
  close(): void;
}

/**
 * Mounts an app for a member and resolves when the app has its port.
 *
 * @throws SocialError if the app cannot be mounted, or the member would be asked first.
 */
export async function openMember(options: {
  /** Sends the member's requests to the site. */
  readonly fetch: Fetch;
  readonly url: string;
  readonly app: string;
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Value of `gantry.state` at the start. */
  readonly state?: unknown;
}): Promise<Member> {
  const { fetch, url, app, scenario, clock, observe, state } = options;
  const { locale = 'en', params, owner, view } = scenario;
  const host = {};
  const leaving: (() => void)[] = [];
  let isClosed = false;
  let load: Load | undefined;
  let replacing: Promise<void> = Promise.resolve();

  const container = createContainer({
    base: `${url}/gantry/`,
    storage: createMemoryStorage(),
    isDevelopment: true,
    address: false,
    attention: { isHidden: () => false, onReturn: () => {} },
    follow: (page) =>
      followChanges(page, {
        locks: undefined,
        openChannel: () => undefined,
        isHidden: () => false,
        onOnline: () => {},
        onLifecycle: (listener) => leaving.push(() => listener('pagehide')),
      }),
    fetch,
    clock,
    observe,
    locale,
    state,
    params,
  });

  async function open(): Promise<Load> {
    const request = { app, ...(owner && { owner }), ...(view && { view }) };
    const reply = await container.mount(request, (isDecided) => void replace(isDecided ? 'decided' : 'replaced'), host);
    if ('error' in reply) throw new SocialError('UNAVAILABLE', `${app} cannot be mounted: ${reply.error.message}`);
    const gadget = reply.ok;
    if (gadget.consent.needed.length > 0) {
      gadget.close();
      throw isAbsent('consent');
    }
    const { greeting, window } = createDirectHello();
    gadget.observed?.report({ kind: 'load', what: 'start' });
    const running = startApp(gadget, {
      greeting,
      features: nodeFeatures,
      extras: { scenario, host },
      pendingLoads: container.pendingLoads,
      locale: container.locale,
      messages: container.messages,
      ...budgetsWith(undefined),
      dispatch(_type, detail) {
        if ('kind' in detail) gadget.observed?.report({ kind: 'incident', name: detail.kind, detail: detail.detail });
        return true;
      },
      retitle: () => {},
      warn: () => {},
      onReady: () => gadget.observed?.report({ kind: 'load', what: 'ready' }),
      onEnd(why) {
        gadget.observed?.report({ kind: 'load', what: 'failed', why });
      },
    });
    const connection: ContainerConnection = connectToContainer({ window, clock });
    const sdk = createSdk(connection);
    await Promise.all([connection.welcome, running.settled]);
    return {
      sdk,
      app: running,
      gadget,
      close() {
        running.end();
        gadget.observed?.report({ kind: 'load', what: 'end' });
        gadget.close();
      },
    };
  }

  /** Reconnects, like a page that reloads its document. Code under test keeps running. */
  function replace(why: string): Promise<void> {
    replacing = replacing.then(async () => {
      if (isClosed) return;
      load?.close();
      load?.gadget.observed?.report({ kind: 'load', what: 'reload', why });
      load = await open();
    });
    replacing = replacing.catch(() => {}); // calls reject with the reason
    return replacing;
  }

  load = await open();
  const sdk = (): Sdk => (load as Load).sdk;
  return {
    sdk: {
      osapi: delegate(() => sdk().osapi),
      gadgets: delegate(() => sdk().gadgets),
      gantry: delegate(() => sdk().gantry),
    },
    async reload() {
      await load?.app.leave();
      await replace('asked');
    },
    async close() {
      isClosed = true;
      await replacing;
      load?.close();
      for (const leave of leaving) leave();
    },
  };
}
