import type { Failure } from '@gantry/bridge';
import type { Change, EventsEnd, EventsRequest } from '@gantry/wire';
import { partsOf } from '../calls/lines.ts';
import type { ProxyClient } from '../calls/proxy-client.ts';

/** Changes of a stream, and the position to resume from. */
export interface Heard {
  readonly changes: readonly Change[];
  readonly id?: string;
}

/** Reason of an end. `viewer`: another member is signed in. `lost`: broken, or never made. */
export interface ConnectionEnd {
  readonly why: EventsEnd | 'viewer' | 'lost';
  /** Pause that the server asks for, in seconds. */
  readonly retryAfter?: number;
}

const silenceMs = 45_000; // real time; the server writes every 15 seconds

/**
 * Opens one stream of events and reads it to its end. Never rejects. Not `EventSource`, which sends
 * no headers: without them any page could ask (security rule 10).
 */
export async function hearEvents(options: {
  readonly client: Pick<ProxyClient, 'post'>;
  readonly request: EventsRequest;
  readonly onHeard: (heard: Heard) => void;
  readonly signal: AbortSignal;
}): Promise<ConnectionEnd> {
  const { client, request, onHeard, signal } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  let silence = setTimeout(abort, silenceMs);
  try {
    signal.throwIfAborted();
    const response = await client.post('events', request, controller.signal);
    if ('error' in response) return endOf(response);
    if (response.body === null) return { why: 'lost' };
    // An empty line ends a block.
    for await (const blocks of partsOf(response.body, '\n\n')) {
      clearTimeout(silence);
      silence = setTimeout(abort, silenceMs);
      for (const { event, data, id } of blocks.map(fieldsOf)) {
        if (event === 'end') return { why: JSON.parse(data ?? '') };
        const changes = event === 'changes' ? JSON.parse(data ?? '') : [];
        onHeard({ changes, ...(id !== undefined && { id }) });
      }
    }
  } catch {
    // lost
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
    controller.abort();
  }
  return { why: 'lost' };
}

/** Parses the fields of a block, as our proxy writes them: each once, on one line. */
function fieldsOf(block: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
}

function endOf({ error }: Failure): ConnectionEnd {
  const { reason, retryAfter } = error.data ?? {};
  if (reason === 'TOKEN_EXPIRED') return { why: 'expired' };
  if (reason === 'VIEWER_CHANGED') return { why: 'viewer' };
  return { why: 'lost', ...(typeof retryAfter === 'number' && { retryAfter }) };
}
