import type { Record } from '@gantry/lab';
import type { DevEvent, RecordRequest } from './protocol.ts';
import { type Route, readJson, sendJson } from './route.ts';

/** Server-sent events to the dev host's pages. */
export interface Events {
  tell(event: DevEvent): void;
  close(): void;
}

/**
 * Answers `GET /dev/events`, which tells pages each entry of the record and whatever else is told, and `POST /dev/record`,
 * which adds what a page has seen.
 */
export function createRecordRoute(record: Record): { readonly route: Route; readonly events: Events } {
  const streams = new Set<(event: DevEvent) => void>();
  const ends = new Set<() => void>();
  function tell(event: DevEvent): void {
    for (const send of streams) send(event);
  }
  const forget = record.subscribe((entry) => tell({ type: 'entry', entry }));

  return {
    events: {
      tell,
      close() {
        forget();
        for (const end of ends) end();
      },
    },
    async route({ incoming, outgoing, method, path }) {
      if (path === '/dev/record' && method === 'POST') {
        const happenings = await readJson<RecordRequest>(incoming);
        for (const happening of happenings) record.add(happening);
        return sendJson(outgoing, {});
      }
      if (path !== '/dev/events') return false;
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      outgoing.write(': welcome\n\n');
      const send = (event: DevEvent): void => void outgoing.write(`data: ${JSON.stringify(event)}\n\n`);
      const end = (): void => void outgoing.end();
      streams.add(send);
      ends.add(end);
      outgoing.on('close', () => {
        streams.delete(send);
        ends.delete(end);
      });
      return true;
    },
  };
}
