import type { Entry, LabEvent, Record } from '@gantry/lab';
import { readPageEvent } from '@gantry/lab/host';
import type { Explainer, Report } from '@gantry/lab/record';
import type { DevEvent } from './protocol.ts';
import { type Route, readJson, sendJson } from './route.ts';
import type { SourcePlaces } from './source-place.ts';

/** Server-sent events to the dev host's pages. */
export interface Events {
  send(event: DevEvent): void;
  close(): void;
}

const mostAtOnce = 1_000;
const mostUnread = 8_000_000;

/**
 * Serves `GET /dev/events`, a stream of entries with their explanations and of other events, and
 * `POST /dev/record`, which adds at most 1,000 reports of a page. With `?since=NUMBER` the stream
 * begins with the latest 1,000 entries after that one.
 *
 * @param options.explain Explains entries, each once, in their order.
 * @param options.places Finds the sources of reports from frames.
 */
export function createRecordRoute(
  record: Record,
  { explain = () => undefined, places }: { readonly explain?: Explainer; readonly places?: SourcePlaces } = {},
): { readonly route: Route; readonly events: Events } {
  const streams = new Set<(event: DevEvent) => void>();
  const ends = new Set<() => void>();
  function sendAll(event: DevEvent): void {
    for (const send of streams) send(event);
  }
  const forget = record.subscribe((entry) => sendAll(eventOf(entry)));

  function eventOf(entry: Entry): DevEvent {
    const explanation = explain(entry);
    return { type: 'entry', entry, ...(explanation && { explanation }) };
  }

  /** Adds reports in order: a slow source lookup delays those behind it. */
  let adding: Promise<unknown> = Promise.resolve();
  function add(reports: readonly unknown[]): Promise<{ readonly added: number }> {
    const added = adding.then(async () => {
      const events = reports.slice(0, mostAtOnce).flatMap((report) => readPageEvent(report) ?? []);
      for (const report of events) record.add(places ? await placed(report, places) : report);
      return { added: events.length };
    });
    adding = added.catch(() => {});
    return added;
  }

  return {
    events: {
      send: sendAll,
      close() {
        forget();
        for (const end of ends) end();
      },
    },
    async route({ incoming, outgoing, method, path, search }) {
      if (path === '/dev/record' && method === 'POST') {
        const reports = await readJson<unknown>(incoming).catch((error: Error) => error);
        if (!Array.isArray(reports)) {
          const message = reports instanceof Error ? reports.message : 'A list of events is expected.';
          return sendJson(outgoing, { error: { code: 400, message } }, 400);
        }
        return sendJson(outgoing, await add(reports));
      }
      if (path !== '/dev/events' || method !== 'GET') return false;
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      outgoing.write(': welcome\n\n');
      const send = (event: DevEvent): void => {
        if (outgoing.writableLength > mostUnread)
          outgoing.destroy(); // a suspended page reconnects with `since`
        else outgoing.write(`data: ${JSON.stringify(event)}\n\n`);
      };
      const end = (): void => void outgoing.end();
      const since = Number(search.get('since') ?? Number.POSITIVE_INFINITY);
      for (const entry of record.entries.filter(({ number }) => number > since).slice(-mostAtOnce))
        send(eventOf(entry));
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

/** Maps addresses in a frame's reports to files of the app. */
async function placed(report: Report, places: SourcePlaces): Promise<Report> {
  const { app } = report;
  if (app === undefined) return report;
  if (report.kind === 'file') return { ...report, address: places.pathOf(app, report.address) ?? report.address };
  if (!('where' in report || 'stack' in report)) return report;
  const { where: reported, ...rest } = report as Report & Extract<LabEvent, { kind: 'script-error' }>;
  const byPlace = reported && (await places.find(app, reported));
  const where = byPlace ?? (rest.stack === undefined ? undefined : await places.findInStack(app, rest.stack));
  return { ...rest, ...(where && { where }) };
}
