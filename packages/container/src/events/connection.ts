import type { Change, EventsEnd, EventsRequest } from '@gantry/wire';
import type { Fetch } from '../calls/proxy-client.ts';

/** Changes of a stream, and the position to resume from. */
export interface Heard {
  readonly changes: readonly Change[];
  readonly id?: string;
}

/** Reason of an end. `viewer`: another member is signed in. `lost`: broken, or never made. */
export interface ConnectionEnd {
  readonly why: EventsEnd | 'viewer' | 'lost';
  /** Pause that the server wishes, in seconds. */
  readonly retryAfter?: number;
}

const silenceMs = 45_000; // of the machine, like the server's word every 15 seconds

/**
 * Opens one stream of events and reads it to its end. Never rejects. Not `EventSource`, which sends
 * no headers: without them any page could ask (security rule 10).
 */
export async function hearEvents(options: {
  readonly base: URL;
  readonly fetch: Fetch;
  readonly request: EventsRequest;
  readonly onHeard: (heard: Heard) => void;
  readonly signal: AbortSignal;
}): Promise<ConnectionEnd> {
  const { base, fetch, request, onHeard, signal } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  let silence = setTimeout(abort, silenceMs);
  try {
    signal.throwIfAborted();
    const response = await fetch(new URL('events', base), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Gantry-Container': '1' },
      body: JSON.stringify(request),
      credentials: 'same-origin',
      redirect: 'error',
      cache: 'no-store',
      signal: controller.signal,
    });
    if (!response.ok || response.body === null) return await refusalOf(response);
    for await (const blocks of blocksOf(response.body)) {
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

/** Yields the blocks that each chunk completes. An empty line ends a block. */
async function* blocksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<readonly string[]> {
  const reader = body.getReader(); // not `for await`: Safari cannot iterate streams
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() as string;
    yield blocks;
  }
}

/** Parses the fields of a block, as our proxy writes them: each once, on one line. */
function fieldsOf(block: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
}

async function refusalOf(response: Response): Promise<ConnectionEnd> {
  const body = await response.json().catch(() => undefined);
  const { reason, retryAfter } = body?.error?.data ?? {};
  if (reason === 'TOKEN_EXPIRED') return { why: 'expired' };
  if (reason === 'VIEWER_CHANGED') return { why: 'viewer' };
  return { why: 'lost', ...(typeof retryAfter === 'number' && { retryAfter }) };
}
