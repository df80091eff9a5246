/** One open page: its viewer, the owners of its gadgets, and their apps. */
export interface Listener {
  readonly viewer: string;
  readonly owners: ReadonlySet<string>;
  readonly apps: ReadonlySet<string>;
}

/** Open pages, found by the member whom a change concerns. */
export interface Listeners {
  readonly size: number;
  /** Viewers and owners, each once. */
  readonly members: { readonly size: number; [Symbol.iterator](): Iterator<string> };
  ofViewer(id: string): ReadonlySet<Listener>;
  ofOwner(id: string): ReadonlySet<Listener>;
  [Symbol.iterator](): Iterator<Listener>;
}

/** Makes an index of open pages, so that a change costs only the pages that it concerns. */
export function createListeners(
  first: Iterable<Listener> = [],
): Listeners & Pick<Set<Listener>, 'delete'> & { add(listener: Listener): void } {
  const all = new Set<Listener>();
  const viewers = createSets();
  const owners = createSets();
  const members = new Map<string, number>();

  function named({ viewer, owners }: Listener): ReadonlySet<string> {
    return new Set([viewer, ...owners]);
  }

  function add(listener: Listener): void {
    if (all.has(listener)) return;
    all.add(listener);
    viewers.add(listener.viewer, listener);
    for (const owner of listener.owners) owners.add(owner, listener);
    for (const id of named(listener)) members.set(id, (members.get(id) ?? 0) + 1);
  }

  for (const listener of first) add(listener);
  return {
    get size() {
      return all.size;
    },
    members: {
      get size() {
        return members.size;
      },
      [Symbol.iterator]: () => members.keys(),
    },
    ofViewer: viewers.of,
    ofOwner: owners.of,
    [Symbol.iterator]: () => all.values(),
    add,
    delete(listener) {
      if (!all.delete(listener)) return false;
      viewers.delete(listener.viewer, listener);
      for (const owner of listener.owners) owners.delete(owner, listener);
      for (const id of named(listener)) {
        const left = (members.get(id) ?? 1) - 1;
        if (left === 0) members.delete(id);
        else members.set(id, left);
      }
      return true;
    },
  };
}

const none: ReadonlySet<Listener> = new Set();

function createSets() {
  const sets = new Map<string, Set<Listener>>();
  return {
    of: (id: string): ReadonlySet<Listener> => sets.get(id) ?? none,
    add(id: string, listener: Listener): void {
      const listeners = sets.get(id);
      if (listeners) listeners.add(listener);
      else sets.set(id, new Set([listener]));
    },
    delete(id: string, listener: Listener): void {
      const listeners = sets.get(id);
      listeners?.delete(listener);
      if (listeners?.size === 0) sets.delete(id);
    },
  };
}
