import type { Reply } from '@gantry/wire';

/** A reply that is no error. */
export type Result = Extract<Reply, { readonly ok: unknown }>;

/** Who wants to hear of new results, by result key. */
export interface Watchers<Subject> {
  /**
   * Begins to hand over results, each one only if it differs from the one before.
   *
   * Values that are equal differ if a write that one of them shows is pending.
   *
   * @param options.known The present result, if there is one.
   * @returns Ends it.
   */
  add(
    key: string,
    subject: Subject,
    options: { readonly push: (reply: Reply) => void; readonly known: Result | undefined },
  ): () => void;
  push(key: string, result: Result): void;
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
      const watcher: Watcher = { subject, push, last: known && textOf(known) };
      const group = byKey.get(key) ?? new Set();
      byKey.set(key, group.add(watcher));
      return () => {
        group.delete(watcher);
        if (group.size === 0 && byKey.get(key) === group) byKey.delete(key);
      };
    },
    push(key, result) {
      const text = textOf(result);
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

function textOf({ ok, meta }: Result): string {
  return JSON.stringify([ok, meta?.pending]);
}
