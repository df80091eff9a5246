import type { Place } from '../gadget.ts';

const idleMs = 10_000;

/**
 * Reports the calls that `gadget.json` declares and the app has not made, in the console and with
 * an event, once it has made no new kind of call for ten seconds. Declared calls are known on a
 * developer's machine only.
 *
 * @returns Call it when the load is over.
 */
export function watchUnused({ gadget, dispatch }: Pick<Place, 'gadget' | 'dispatch'>): () => void {
  const { declared, used, clock } = gadget;
  const { id, title } = gadget.context.app;
  if (!declared) return () => {};
  let count = used.size;
  let stop = clock.after(idleMs, check);

  function check(): void {
    const unused = declared?.filter((call) => !used.has(call)) ?? [];
    if (unused.length === 0) return;
    if (used.size > count) {
      count = used.size;
      stop = clock.after(idleMs, check);
      return;
    }
    const text = `${title} asks members for ${unused.join(', ')} in gadget.json and has made no such call yet.`;
    console.info(text);
    dispatch('gantry-notice', { app: id, unused, text });
  }

  return () => stop();
}
