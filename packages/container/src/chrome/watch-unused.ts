import type { Clock } from '@gantry/wire';
import type { Place } from '../gadget.ts';

/** Declared and used calls of one load. */
export interface Declaring {
  readonly title: string;
  /** Calls for which its `gadget.json` asks permission. */
  readonly declared: readonly string[];
  /** Calls that it made, in this load or an earlier one. */
  readonly used: ReadonlySet<string>;
}

const idleMs = 10_000;

/**
 * Reports the calls that `gadget.json` declares and the app has not made, once it has made no new
 * kind of call for ten seconds. Declared calls are known on a developer's machine only.
 *
 * @param options.report Gets the calls, and a sentence about them, unless all were made.
 * @returns Call it when the load is over.
 */
export function noticeUnused(
  { title, declared, used }: Declaring,
  options: {
    readonly report: (unused: readonly string[], text: string) => void;
    readonly clock: Pick<Clock, 'after'>;
  },
): () => void {
  const { report, clock } = options;
  let count = used.size;
  let stop = clock.after(idleMs, check);

  function check(): void {
    const unused = declared.filter((call) => !used.has(call));
    if (unused.length === 0) return;
    if (used.size > count) {
      count = used.size;
      stop = clock.after(idleMs, check);
    } else
      report(unused, `${title} asks members for ${unused.join(', ')} in gadget.json and has made no such call yet.`);
  }

  return () => stop();
}

/** Reports the unused permissions of a load in the console and with an event. */
export function watchUnused({ gadget, dispatch }: Place): () => void {
  const { declared, used, context, clock } = gadget;
  if (!declared) return () => {};
  const report = (unused: readonly string[], text: string) => {
    console.info(text);
    dispatch('gantry-notice', { app: context.app.id, unused, text });
  };
  return noticeUnused({ title: context.app.title, declared, used }, { report, clock });
}
