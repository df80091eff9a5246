import type { Gadget } from '../gadget.ts';

interface Waiting {
  readonly app: string;
  readonly ask: () => void;
}

const containers = new WeakMap<object, Set<Waiting>>(); // by `tools`, which all gadgets of a container share

/**
 * Calls `ask` once no other gadget of the app asks on this page.
 *
 * @returns Call it when the gadget asks no longer.
 */
export function askFirst({ tools, context }: Pick<Gadget, 'tools' | 'context'>, ask: () => void): () => void {
  const all = containers.get(tools) ?? new Set();
  containers.set(tools, all);
  const own: Waiting = { app: context.app.id, ask };
  const first = () => [...all].find(({ app }) => app === own.app);
  all.add(own);
  if (first() === own) ask();
  return () => {
    const wasFirst = first() === own;
    all.delete(own);
    if (wasFirst) first()?.ask();
  };
}
