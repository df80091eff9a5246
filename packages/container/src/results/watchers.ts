import type { Reply } from '@gantry/wire';

/** A reply that is no error. */
export type Result = Extract<Reply, { readonly ok: unknown }>;

/** Watchers of results, by result key. */
export interface Watchers<Subject> {
  /**
   * Pushes each result that differs from the one before; one that shows a pending write differs
   * from an equal one that does not. Returns the end of it.
   *
   * @param options.known The present result, if there is one.
   */
  add(
    key: string,
    subject: Subject,
    options: { readonly push: (reply: Reply) => void; readonly known: Result | undefined },
  ): () => void;
  push(key: string, result: Result): void;
  /** Returns the subjects that are watched, each key once. */
  watched(matches: (subject: Subject) => boolean): readonly Subject[];
}

export function createWatchers<Subject>(): Watchers<Subject> {
  interface Watcher {
    readonly subject: Subject;
    readonly push: (reply: Reply) => void;
    last: Result | undefined;
  }
  const byKey = new Map<string, Set<Watcher>>();

  // Many may watch one large result, and one may be pushed to often.
  const texts = new WeakMap<object, string>();

  function textOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
    const text = texts.get(value) ?? JSON.stringify(value);
    texts.set(value, text);
    return text;
  }
  function isSame(a: Result, b: Result): boolean {
    if (a.meta?.pending !== b.meta?.pending) return false;
    return a.ok === b.ok || textOf(a.ok) === textOf(b.ok);
  }

  return {
    add(key, subject, { push, known }) {
      const watcher: Watcher = { subject, push, last: known };
      const group = byKey.get(key) ?? new Set();
      byKey.set(key, group.add(watcher));
      return () => {
        group.delete(watcher);
        if (group.size === 0 && byKey.get(key) === group) byKey.delete(key);
      };
    },
    push(key, result) {
      for (const watcher of byKey.get(key) ?? []) {
        const { last } = watcher;
        watcher.last = result;
        if (last === undefined || !isSame(last, result)) watcher.push(result);
      }
    },
    watched(matches) {
      return [...byKey.values()]
        .flatMap((group) => [...group].slice(0, 1).map(({ subject }) => subject))
        .filter(matches);
    },
  };
}
