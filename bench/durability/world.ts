/** The site that is killed: each writer is a member with the app `notes`, and may post as often as it likes. */
export function killedSite(writerIds: readonly string[]): object {
  return {
    site: { name: 'Killed', settings: { minimumInterval: 0 } },
    members: writerIds.map((id) => ({ id, displayName: `Writer ${id}` })),
    apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
    installs: writerIds.map((memberId) => ({ appId: 'notes', memberId })),
    consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
  };
}

export const consumer = { key: 'notes', secret: 'secret' };
