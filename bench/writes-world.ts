/** Number of concurrent clients, each with a member of its own. */
export const writers = 32;

export const writerIds = Array.from({ length: writers }, (_, index) => String(index + 1));

export const consumer = { key: 'notes', secret: 'secret' };

/** A site on which every writer has the app `notes` and may post without an interval. */
export const writersWorld = {
  site: { name: 'Writers', settings: { minimumInterval: 0 } },
  members: writerIds.map((id) => ({ id, displayName: `Writer ${id}` })),
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
  installs: writerIds.map((memberId) => ({ appId: 'notes', memberId })),
  consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
};
