import type { Report as Reported } from '@gantry/lab/record';

/** Adds an event of the page to the record. */
export type Report = (event: Reported) => void;

const everyMs = 50;
const mostEntries = 200;
const mostCharacters = 1_000_000;
const mostOfOne = 200_000;
const mostWaiting = 5_000;

/**
 * Makes a `Report` that sends to the record in batches. A report that is too large is sent without
 * its content; those that the server does not accept in time are dropped and counted.
 *
 * @param options.address Address of the record, for POST.
 * @param options.after Calls a function later.
 */
export function createReport(options: {
  readonly address: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: (ms: number, run: () => void) => void;
}): Report & {
  /** Flushes the queue. Resolves when all reports so far were delivered or dropped. */
  sent(): Promise<void>;
} {
  const { address, fetch, after } = options;
  const waiting: { readonly text: string; readonly lab: string }[] = [];
  let leftOut = 0;
  let sending: Promise<void> | undefined;
  let isWaiting = false;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      let characters = 0;
      const fits = waiting.findIndex(({ text }, index) => {
        characters += text.length;
        return index === mostEntries || (index > 0 && characters > mostCharacters);
      });
      const batch = waiting.splice(0, fits === -1 ? waiting.length : fits);
      if (leftOut > 0) {
        batch.push({ text: JSON.stringify({ kind: 'left-out', count: leftOut, lab: batch[0]?.lab }), lab: '' });
        leftOut = 0;
      }
      try {
        const response = await fetch(address, { method: 'POST', body: `[${batch.map(({ text }) => text).join()}]` });
        await response.arrayBuffer(); // an unread response would keep the request open
      } catch {
        leftOut += batch.length;
      }
    }
    sending = undefined;
  }

  async function start(): Promise<void> {
    isWaiting = false;
    if (waiting.length > 0) sending ??= send();
    await sending;
  }

  function report(event: Reported): void {
    if (waiting.length >= mostWaiting) {
      leftOut += 1;
      return;
    }
    waiting.push({ text: textOf(event), lab: event.lab });
    if (sending || isWaiting) return;
    isWaiting = true;
    after(everyMs, () => void start());
  }
  return Object.assign(report, { sent: start });
}

const contents = ['ok', 'params', 'context', 'data', 'detail'];

function textOf(event: Reported): string {
  const text = JSON.stringify(event);
  if (text.length <= mostOfOne) return text;
  const short = JSON.stringify(event, (key, value) => (contents.includes(key) ? { leftOut: true } : value));
  return short.length <= mostOfOne ? short : JSON.stringify({ kind: 'left-out', count: 1, lab: event.lab });
}
