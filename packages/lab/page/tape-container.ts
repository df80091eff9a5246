import type { Container, Gadget } from '@gantry/container';
import type { Context, TapeHost } from '@gantry/lab/tape-host';

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
type Place = Parameters<Gadget['writes']['follow']>[0];
type Rollback = Parameters<Parameters<Gadget['onRollback']>[0]>[0];

/** Sends events and contexts of a tape to the running app. */
export interface TapeTeller {
  event(name: string, data: unknown): void;
  context(context: Context): void;
}

/** Members of a context that the replay's own page decides. */
const ownMembers = ['view', 'params', 'theme', 'shortcuts', 'writes', 'locale', 'timeZone', 'instance'];

/**
 * Replaces the site behind a container by a tape. Gadgets are answered below the point that the
 * container observes, so a replay is observed as the recording was; document, frame, sandbox,
 * handshake and chrome are the container's.
 */
export function tapeContainer(
  container: Container,
  host: TapeHost,
): { readonly container: Container; readonly teller: TapeTeller } {
  let place: Place | undefined;
  let rollBack: ((rollback: Rollback) => void) | undefined;

  function takeOver(gadget: Writable<Gadget>): void {
    const { observed } = gadget;
    gadget.answer = observed?.answer(host.answer) ?? ((request) => host.answer(request));
    gadget.watch = observed?.watch(host.watch) ?? host.watch;
    gadget.onRollback = (listener) => {
      rollBack = listener;
      return () => {
        if (rollBack === listener) rollBack = undefined;
      };
    };
    gadget.writes = {
      reports: () => (host.nextContext()?.writes ?? []) as ReturnType<Gadget['writes']['reports']>,
      follow(followed) {
        place = followed;
        return () => {
          if (place === followed) place = undefined;
        };
      },
    };
  }

  return {
    // Not a copy: the container has members that change.
    container: Object.create(container, {
      mount: {
        async value(...given: Parameters<Container['mount']>): ReturnType<Container['mount']> {
          const mounted = await container.mount(...given);
          if ('ok' in mounted) takeOver(mounted.ok);
          return mounted;
        },
      },
      load: {
        value(...[gadget, options]: Parameters<Container['load']>): ReturnType<Container['load']> {
          const context = host.nextContext();
          if (context) {
            const loaded: Writable<Gadget> = gadget;
            loaded.context = contextWith(gadget, context);
            if (typeof context.instance === 'string') loaded.instance = context.instance;
          }
          return container.load(gadget, options);
        },
      },
    }),
    teller: {
      event(name, data) {
        if (name === 'rollback') rollBack?.(data as Rollback);
        else place?.emit(name, data);
      },
      context(context) {
        if (!place) return;
        (place.gadget as Writable<Gadget>).context = contextWith(place.gadget, context);
        place.update();
      },
    },
  };
}

function contextWith(gadget: Gadget, context: Context): Gadget['context'] {
  const ofSite = Object.entries(context).filter(([name]) => !ownMembers.includes(name));
  return { ...gadget.context, ...Object.fromEntries(ofSite) };
}
