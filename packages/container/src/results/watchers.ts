import type { Reply } from '@gantry/wire';

export type SuccessReply = Extract<Reply, { readonly ok: unknown }>;

export function createWatchers<Read extends { readonly key: string }>() {
  interface Watcher {
    readonly read: Read;
    readonly push: (reply: Reply) => void;
    last: SuccessReply | undefined;
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
  function isSame(a: SuccessReply, b: SuccessReply): boolean {
    if (a.meta?.pending !== b.meta?.pending) return false;
    return a.ok === b.ok || textOf(a.ok) === textOf(b.ok);
  }

  return {
    /**
     * Pushes each result that differs from the one before; one that shows a pending write differs
     * from an equal one that does not. Returns the end of it.
     *
     * @param current The present result, if there is one.
     */
    add(read: Read, push: (reply: Reply) => void, current: SuccessReply | undefined): () => void {
      const { key } = read;
      const watcher: Watcher = { read, push, last: current };
      const group = byKey.get(key) ?? new Set();
      byKey.set(key, group.add(watcher));
      return () => {
        group.delete(watcher);
        if (group.size === 0 && byKey.get(key) === group) byKey.delete(key);
      };
    },
    push({ key }: Read, result: SuccessReply): void {
      for (const watcher of byKey.get(key) ?? []) {
        const { last } = watcher;
        watcher.last = result;
        if (last === undefined || !isSame(last, result)) watcher.push(result);
      }
    },
    /** Returns the reads that are watched, each key once. */
    watched(matches: (read: Read) => boolean): readonly Read[] {
      return [...byKey.values()].flatMap((group) => [...group].slice(0, 1).map(({ read }) => read)).filter(matches);
    },
  };
}
