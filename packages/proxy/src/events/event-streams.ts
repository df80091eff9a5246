import { createListeners, type Every, type Listener, type LoggedChange } from '@gantry/store';
import type { Change, EventsEnd, Logger } from '@gantry/wire';
import { audienceOf, type ChangeSource, distinctChanges, toWireChanges } from './changes.ts';

/** The event streams of this process. */
export interface EventStreams {
  /** Number of open streams. */
  readonly size: number;
  /** Returns the number of a viewer's streams. */
  countOf(viewer: string): number;
  /**
   * Opens a stream.
   *
   * @param options.recheck Resolves with the reason to end the stream, if any. Called every 15 s.
   */
  open(options: { readonly listener: Listener; readonly recheck: () => Promise<EventsEnd | undefined> }): EventStream;
  /** Ends all of them. */
  close(): void;
}

/** Server-sent events for one page. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends the changes that the page missed, then those since the stream was opened. */
  begin(changes: readonly Change[], position: number): void;
  end(why: EventsEnd): void;
}

interface Open extends EventStream {
  readonly listener: Listener;
  readonly recheck: () => Promise<EventsEnd | undefined>;
  beatAtMs: number;
  /** Ticks since the last heartbeat. */
  ticks: number;
  /** Position from which the page resumes. */
  sentPosition: number;
  notify(changes: readonly Change[], position: number): void;
  beat(position: number): void;
}

const beatEveryMs = 15_000; // below what reverse proxies usually wait for the next byte
const tickEveryMs = 1_000;
const backlogBytes = 64 * 1024;

/**
 * Delivers changes to event streams.
 *
 * @param options.changes Read only while a stream is open.
 * @param options.cursor Converts a position to the id of an event.
 * @param options.now Milliseconds since an arbitrary moment.
 */
export function createEventStreams(options: {
  readonly changes: ChangeSource;
  readonly cursor: (position: number) => string;
  readonly now: () => number;
  readonly log: Logger;
  readonly every: Every;
}): EventStreams {
  const { changes, cursor, now, log, every } = options;
  const streams = new Map<Listener, Open>();
  const listeners = createListeners();
  let delivered: Promise<void> = Promise.resolve();
  let position = 0;
  let stop: (() => void) | undefined;

  function start(): () => void {
    const stopListening = changes.feed.listen((news) => {
      delivered = delivered.then(() => deliver(news.changes, news.position));
    });
    const stopTicking = every(tick, tickEveryMs);
    return () => {
      stopListening();
      stopTicking();
    };
  }

  async function deliver(all: readonly LoggedChange[], upTo: number): Promise<void> {
    try {
      const logged = distinctChanges(all);
      const audiences = await audienceOf(changes, logged, listeners);
      const news = new Map<Listener, LoggedChange[]>();
      audiences.forEach((audience, index) => {
        const change = logged[index] as LoggedChange;
        for (const listener of audience) {
          const known = news.get(listener);
          if (known) known.push(change);
          else news.set(listener, [change]);
        }
      });
      position = upTo;
      for (const [listener, ours] of news) streams.get(listener)?.notify(toWireChanges(ours), upTo);
    } catch (err) {
      log.error({ err }, 'events could not be delivered');
      endAll('later'); // pages reconnect and receive what they missed
    }
  }

  function tick(): void {
    for (const stream of streams.values()) {
      stream.ticks++;
      // Ticks count too, so that a clock that was set back or stopped silences no stream.
      if (now() - stream.beatAtMs < beatEveryMs && stream.ticks < beatEveryMs / tickEveryMs) continue;
      stream.beatAtMs = now();
      stream.ticks = 0;
      stream.recheck().then(
        (why) => (why === undefined ? stream.beat(position) : stream.end(why)),
        () => stream.end('later'),
      );
    }
  }

  function endAll(why: EventsEnd): void {
    for (const stream of streams.values()) stream.end(why);
  }

  function add(stream: Open): void {
    streams.set(stream.listener, stream);
    listeners.add(stream.listener);
    stop ??= start();
  }

  function remove({ listener }: Pick<Open, 'listener'>): void {
    if (!streams.delete(listener)) return;
    listeners.delete(listener);
    if (streams.size > 0) return;
    stop?.();
    stop = undefined;
  }

  return {
    get size() {
      return streams.size;
    },
    countOf: (viewer) => listeners.ofViewer(viewer).size,
    open({ listener, recheck }) {
      let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          start(given) {
            controller = given;
          },
          cancel: () => remove(stream),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: backlogBytes }),
      );

      function send(text: string): void {
        if (!streams.has(listener)) return;
        controller.enqueue(Buffer.from(text));
        if ((controller.desiredSize ?? 0) <= 0) close(); // too slow: the page reconnects and receives what it missed
      }

      function close(): void {
        if (!streams.has(listener)) return;
        remove(stream);
        controller.close();
      }

      function sendChanges(stale: readonly Change[], upTo: number): void {
        stream.sentPosition = upTo;
        send(`id: ${cursor(upTo)}\n${stale.length > 0 ? `event: changes\ndata: ${JSON.stringify(stale)}\n` : ''}\n`);
      }

      let waiting: (() => void)[] | undefined = [];
      const stream: Open = {
        listener,
        recheck,
        body,
        beatAtMs: now(),
        ticks: 0,
        sentPosition: -1,
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
          if (upTo > stream.sentPosition) sendChanges([], upTo);
          else send(':\n\n');
        },
        end(why) {
          send(`event: end\ndata: ${JSON.stringify(why)}\n\n`);
          close();
        },
      };
      add(stream);
      return stream;
    },
    close: () => endAll('later'),
  };
}
