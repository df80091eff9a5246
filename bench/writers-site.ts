/** Concurrent clients of `writes.ts`, each with a member of its own. */
export const writers = 32;

export const consumer = { key: 'notes', secret: 'secret' };

export function idsOfWriters(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Returns a world in which each writer has the app `notes` and may post without an interval. */
export function writersSite(writerIds: readonly string[]) {
  return {
    site: { name: 'Writers', settings: { minimumInterval: 0 } },
    members: writerIds.map((id) => ({ id, displayName: `Writer ${id}` })),
    apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
    installs: writerIds.map((memberId) => ({ appId: 'notes', memberId })),
    consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
  };
}
