import type { Site } from '../site.ts';

/** One event of a stream, as the page sees it. */
export interface StreamedEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: unknown;
}

/** A page's event stream. */
export interface EventReader {
  readonly response: Response;
  /** The next block of the stream; `undefined` at its end. Comments are `{}`. */
  next(): Promise<StreamedEvent | undefined>;
  leave(): Promise<void>;
}

/** Opens a stream for instances, from `since` or from the first one's start. */
export async function openStream(
  site: Site,
  instances: readonly { readonly instance: string; readonly token: string; readonly since?: string }[],
  since = instances[0]?.since,
): Promise<EventReader> {
  const tokens = Object.fromEntries(instances.map(({ instance, token }) => [instance, token]));
  return readEvents(await site.post('/gantry/events', { tokens, since: [since] }));
}

export function readEvents(response: Response): EventReader {
  let reader: ReadableStreamDefaultReader<string> | undefined;
  let text = '';
  const read = () => {
    reader ??= response.body?.pipeThrough(new TextDecoderStream()).getReader();
    return reader?.read() ?? { done: true, value: undefined };
  };

  return {
    response,
    async next() {
      while (!text.includes('\n\n')) {
        const { done, value } = await read();
        if (done) return undefined;
        text += value;
      }
      const end = text.indexOf('\n\n');
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const fields = block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]);
      const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.find(([field]) => field === name)?.[1]);
      return {
        ...(id !== undefined && { id }),
        ...(event !== undefined && { event }),
        ...(data !== undefined && { data: JSON.parse(data) }),
      };
    },
    leave: async () => (reader ?? response.body)?.cancel(),
  };
}
