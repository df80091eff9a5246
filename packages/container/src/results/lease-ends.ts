/** Ends of the leases of all gadgets of a page, by the key of their result. */
export function createLeaseEnds() {
  const byKey = new Map<string, Set<() => void>>();

  return {
    /** Calls `end` once when the lease has to end, unless the returned function is called. */
    add(key: string, end: () => void): () => void {
      const ends = byKey.get(key) ?? new Set();
      byKey.set(key, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && byKey.get(key) === ends) byKey.delete(key);
      };
    },
    /** Ends the leases of a result. */
    end(key: string): void {
      for (const end of byKey.get(key) ?? []) end();
    },
    endAll(): void {
      for (const ends of [...byKey.values()]) for (const end of ends) end();
    },
  };
}
