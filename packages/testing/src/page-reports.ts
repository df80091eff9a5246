import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lab } from '@gantry/lab';
import { readPageEvent } from '@gantry/lab/host';
import { readBytes } from '@gantry/wire/runtime';

const mostBytes = 4 * 1024 * 1024;
const mostAtOnce = 1_000;

/**
 * Adds what the kit's page has seen to the records of its labs: at most 1,000 events and 4 MB
 * at once, counted while they are read. Each is rebuilt member by member, since part of it is the
 * app's.
 */
export async function takePageReports(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  labOf: (name: string) => Lab | undefined,
): Promise<void> {
  const isTooLong = Number(incoming.headers['content-length'] ?? 0) > mostBytes;
  const body = isTooLong ? undefined : await readBytes(incoming, mostBytes); // a longer body ends the connection with the response
  if (body === undefined) return refuse(outgoing, 413, 'That is more than the record takes at once.');
  const reports = parse(new TextDecoder().decode(body));
  if (!Array.isArray(reports)) return refuse(outgoing, 400, 'A list of events is expected.');
  for (const report of reports.slice(0, mostAtOnce)) {
    const event = readPageEvent(report);
    const lab = event && labOf(event.lab);
    if (event && lab) lab.record.add({ ...event, atMs: lab.clock.now() });
  }
  outgoing.writeHead(204).end();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };
  outgoing.writeHead(status, headers).end(message);
}
