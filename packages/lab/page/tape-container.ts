import type { Container, Gadget } from '@gantry/container';
import type { Context, TapeHost } from '@gantry/lab/tape-host';

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
type Place = Parameters<Gadget['writes']['attend']>[0];
type Rollback = Parameters<Parameters<Gadget['onRollback']>[0]>[0];

/** Sends what a tape tells to the app that runs now. */
export interface TapeTeller {
  event(name: string, data: unknown): void;
  context(context: Context): void;
}

/** Members of a context that say how the page of the replay looks: they stay as they are. */
const ownMembers = ['view', 'params', 'theme', 'shortcuts', 'writes', 'locale', 'timeZone', 'instance'];

/**
 * Puts a tape in the place of the site behind a container: the gadgets that it mounts are answered by the tape, below the
 * point at which the container observes, so that a replay is observed as the recording was. Document, frame, sandbox,
 * handshake and chrome are the container's own.
 */
export function tapeContainer(
  container: Container,
  host: TapeHost,
): { readonly container: Container; readonly teller: TapeTeller } {
  let place: Place | undefined;
  let rollBack: ((rollback: Rollback) => void) | undefined;

  function takeOver(gadget: Writable<Gadget>): void {
    const { observed, load } = gadget;
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
      attend(attended) {
        place = attended;
        return () => {
          if (place === attended) place = undefined;
        };
      },
    };
    gadget.load = (same, options) => {
      const context = host.nextContext();
      if (context) {
        gadget.context = contextWith(gadget, context);
        if (typeof context.instance === 'string') gadget.instance = context.instance;
      }
      return load(same, options);
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

function contextWith(gadget: Gadget, told: Context): Gadget['context'] {
  const ofSite = Object.entries(told).filter(([name]) => !ownMembers.includes(name));
  return { ...gadget.context, ...Object.fromEntries(ofSite) };
}
