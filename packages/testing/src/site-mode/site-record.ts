import { createRecord, type Entry, nobody } from '@gantry/lab';
import type { Report } from '@gantry/lab/record';
import type { Page } from '@playwright/test';
import { attachTap } from './attach-tap.ts';
import { readFrames } from './frame-console.ts';
import { readConsole } from './read-console.ts';
import type { Sighting } from './read-port.ts';

/** The record of one page of a running site. */
export type SiteRecord = Awaited<ReturnType<typeof recordPage>>;

/** Records the messages of a page and its gadgets, from its next navigation on. */
export async function recordPage(page: Page) {
  const record = createRecord();
  const apps = new WeakMap<Entry, string>();
  const unplaced = new WeakSet<Entry>();
  const operations = new Map<string, string>();
  const lab = 'site';
  let viewer: string = nobody;

  function add({ atMs, ...event }: Sighting): void {
    if (event.kind === 'context') viewer = viewerIn(event.context) ?? nobody;
    const place = `${viewer}/${event.place}`;
    record.add({ ...event, lab, place, atMs });
    if (event.kind === 'call') operations.set(`${event.place} ${event.call}`, event.operation);
    if (event.kind !== 'reply' || !event.error || event.error.code === 499) return;
    const operation = operations.get(`${event.place} ${event.call}`);
    const { app, error } = event;
    record.add({ kind: 'refusal', error, lab, app, place, atMs, ...(operation !== undefined && { operation }) });
  }

  const frames = readFrames(page, ({ app, type, text }) => {
    const report: Report = { ...readConsole({ type: () => type, text: () => text }), lab };
    const entry = record.add(report);
    if (app !== undefined) apps.set(entry, app);
  });
  page.on('console', (message) => {
    unplaced.add(record.add({ ...readConsole(message), lab }));
  });
  const tap = await attachTap(page, {
    onSighting: add,
    onLeftOut: (count) => record.add({ kind: 'left-out', count, lab }),
  });
  return {
    entries: record.entries,
    /** Returns whether a line of the console may be of an app: true where no frame is named. */
    mayBeOf: (app: string, entry: Entry): boolean =>
      unplaced.has(entry) ? frames.isBlind : (apps.get(entry) ?? app) === app,
    /** Viewer in the latest context of an app; `nobody` before the first. */
    get viewer(): string {
      return viewer;
    },
    /** Resolves when all messages so far are in the record. */
    async pull(): Promise<void> {
      await frames.attached();
      await tap.pull();
    },
  };
}

function viewerIn(context: unknown): string | undefined {
  if (typeof context !== 'object' || context === null || !('viewer' in context)) return undefined;
  return typeof context.viewer === 'string' ? context.viewer : undefined;
}
