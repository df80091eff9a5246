import type { Clock } from '@gantry/wire';
import type { Place } from '../place.ts';

/** What of an app's load is looked at. */
export interface Declaring {
  readonly title: string;
  /** Calls that its `gadget.json` asks members for. */
  readonly declared: readonly string[];
  /** Calls that it has made, in this load or an earlier one. */
  readonly used: ReadonlySet<string>;
}

const idleMs = 10_000;

/**
 * Tells whoever develops an app what its `gadget.json` asks members for without having used it, once the app has called
 * nothing new for ten seconds. The proxy says what is declared only on a site of the developer's own machine.
 *
 * @param options.say Gets the calls, and a sentence about them. Never called where all are used.
 * @returns To be called when the load is over.
 */
export function noticeUnused(
  { title, declared, used }: Declaring,
  options: {
    readonly say: (unused: readonly string[], text: string) => void;
    readonly clock: Pick<Clock, 'after'>;
  },
): () => void {
  const { say, clock } = options;
  let count = used.size;
  let stop = clock.after(idleMs, look);

  function look(): void {
    const unused = declared.filter((call) => !used.has(call));
    if (unused.length === 0) return;
    if (used.size > count) {
      count = used.size;
      stop = clock.after(idleMs, look);
    } else say(unused, `${title} asks members for ${unused.join(', ')} in gadget.json and has made no such call yet.`);
  }

  return () => stop();
}

/** Says in the console and with an event what the app of this load does not use. */
export function watchUnused({ gadget, tell }: Place): () => void {
  const { declared, used, context, clock } = gadget;
  if (!declared) return () => {};
  const say = (unused: readonly string[], text: string) => {
    console.info(text);
    tell('gantry-notice', { app: context.app.id, unused, text });
  };
  return noticeUnused({ title: context.app.title, declared, used }, { say, clock });
}
