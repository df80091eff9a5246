import type { Change, EventsEnd } from '@gantry/wire';

export interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends the changes that the page missed, then those since the stream was opened. */
  begin(changes: readonly Change[], position: number): void;
  notify(changes: readonly Change[], position: number): void;
  beat(position: number): void;
  end(why: EventsEnd): void;
}

const backlogBytes = 64 * 1024;

/** Opens a stream. @param onEnd Called when it ended, or its page went away or was too slow. */
export function openEventStream(cursor: (position: number) => string, onEnd: () => void): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let isOpen = true;
  let sentPosition = -1;
  let waiting: (() => void)[] | undefined = [];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(given) {
        controller = given;
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: backlogBytes }),
  );

  function leave(): void {
    isOpen = false;
    onEnd();
  }

  function close(): void {
    if (!isOpen) return;
    leave();
    controller.close();
  }

  function send(text: string): void {
    if (!isOpen) return;
    controller.enqueue(Buffer.from(text));
    if ((controller.desiredSize ?? 0) <= 0) close(); // too slow: the page reconnects and receives what it missed
  }

  function sendChanges(stale: readonly Change[], upTo: number): void {
    sentPosition = upTo;
    send(`id: ${cursor(upTo)}\n${stale.length > 0 ? `event: changes\ndata: ${JSON.stringify(stale)}\n` : ''}\n`);
  }

  return {
    body,
    begin(missed, upTo) {
      sendChanges(missed, upTo);
      for (const sendWaiting of waiting ?? []) sendWaiting();
      waiting = undefined;
    },
    notify(stale, upTo) {
      if (waiting) waiting.push(() => sendChanges(stale, upTo));
      else sendChanges(stale, upTo);
    },
    beat(upTo) {
      if (waiting) return;
      if (upTo > sentPosition) sendChanges([], upTo);
      else send(':\n\n');
    },
    end(why) {
      send(`event: end\ndata: ${JSON.stringify(why)}\n\n`);
      close();
    },
  };
}
