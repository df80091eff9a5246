import type { Gadget } from '../gadget.ts';

/** A gadget's card that waits for the member. */
export interface Asker {
  readonly gadget: Gadget;
  /** The `<gantry-gadget>`. */
  readonly element: HTMLElement;
  readonly card: HTMLElement;
  /** Shows that the app waits, with a button that leads to the question. */
  wait(problem?: string): void;
  /** Aborted after the card was removed. */
  readonly signal: AbortSignal;
}

const containers = new WeakMap<object, Set<Asker>>(); // by `tools`, which all gadgets of a container share

/** Adds an asker until its card is removed. Returns all of its container, with those of one app. */
export function joinAskers(asker: Asker): ReadonlySet<Asker> {
  const { tools } = asker.gadget;
  const all = containers.get(tools) ?? new Set();
  containers.set(tools, all.add(asker));
  asker.signal.addEventListener('abort', () => all.delete(asker));
  return all;
}

/** Returns one asker for each app of its container that waits: itself first, others as placed. */
export function askersWith(asker: Asker): readonly Asker[] {
  const byApp = new Map([[asker.gadget.context.app.id, asker]]);
  for (const other of [...(containers.get(asker.gadget.tools) ?? [])].sort(byPlace)) {
    const { id } = other.gadget.context.app;
    if (!byApp.has(id)) byApp.set(id, other);
  }
  return [...byApp.values()];
}

function byPlace(a: Asker, b: Asker): number {
  return a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
