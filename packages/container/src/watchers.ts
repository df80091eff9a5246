import type { Reply } from '@gantry/wire';

/** Who wants to hear of new results, by result key. */
export interface Watchers<Subject> {
  /**
   * Begins to hand over results, each one only if it differs from the one before.
   *
   * @param options.known The present result, if there is one.
   * @returns Ends it.
   */
  add(
    key: string,
    subject: Subject,
    options: { readonly push: (reply: Reply) => void; readonly known: unknown },
  ): () => void;
  push(key: string, result: { readonly ok: unknown }): void;
  /** What is watched now, each key once. */
  watched(matches: (subject: Subject) => boolean): readonly Subject[];
}

export function createWatchers<Subject>(): Watchers<Subject> {
  interface Watcher {
    readonly subject: Subject;
    readonly push: (reply: Reply) => void;
    last: string | undefined;
  }
  const byKey = new Map<string, Set<Watcher>>();

  return {
    add(key, subject, { push, known }) {
      const watcher: Watcher = { subject, push, last: JSON.stringify(known) };
      const group = byKey.get(key) ?? new Set();
      byKey.set(key, group.add(watcher));
      return () => {
        group.delete(watcher);
        if (group.size === 0 && byKey.get(key) === group) byKey.delete(key);
      };
    },
    push(key, result) {
      const text = JSON.stringify(result.ok);
      for (const watcher of byKey.get(key) ?? []) {
        if (text === watcher.last) continue;
        watcher.last = text;
        watcher.push(result);
      }
    },
    watched(matches) {
      return [...byKey.values()]
        .flatMap((group) => [...group].slice(0, 1).map(({ subject }) => subject))
        .filter(matches);
    },
  };
}
