import { createListeners, type Every, type Listener, type LoggedChange } from '@gantry/store';
import type { Change, EventsEnd } from '@gantry/wire';
import type { Log } from './calls.ts';
import { audienceOf, type Changes, distinct, toldOf } from './changes.ts';

/** The streams of this process, over which pages hear what is stale. */
export interface EventStreams {
  /** How many are open. */
  readonly size: number;
  /** Streams of one viewer. */
  countOf(viewer: string): number;
  /** @param options.recheck Why the stream must end now, if so. Asked every 15 seconds. */
  open(options: { readonly listener: Listener; readonly recheck: () => Promise<EventsEnd | undefined> }): EventStream;
  /** Ends all of them. */
  close(): void;
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Names what became stale before the stream was opened; until then what comes meanwhile waits. */
  begin(changes: readonly Change[], position: number): void;
  end(why: EventsEnd): void;
}

interface Open extends EventStream {
  readonly listener: Listener;
  readonly recheck: () => Promise<EventsEnd | undefined>;
  beatAtMs: number;
  /** Looks since the last beat. */
  looks: number;
  /** What the page comes back with. */
  toldPosition: number;
  tell(changes: readonly Change[], position: number): void;
  beat(position: number): void;
}

const beatEveryMs = 15_000; // below what reverse proxies usually wait for the next byte
const lookEveryMs = 1_000;
const backlogBytes = 64 * 1024;

/**
 * @param options.changes Listened to while there is a stream.
 * @param options.cursor What a position is called outside.
 * @param options.now Milliseconds since an arbitrary moment.
 */
export function createEventStreams(options: {
  readonly changes: Changes;
  readonly cursor: (position: number) => string;
  readonly now: () => number;
  readonly log: Log;
  readonly every: Every;
}): EventStreams {
  const { changes, cursor, now, log, every } = options;
  const streams = new Map<Listener, Open>();
  const listeners = createListeners();
  let delivered: Promise<void> = Promise.resolve();
  let position = 0;
  let stop: (() => void) | undefined;

  function start(): () => void {
    const endHearing = changes.feed.listen((news) => {
      delivered = delivered.then(() => deliver(news.changes, news.position));
    });
    const endBeating = every(beat, lookEveryMs);
    return () => {
      endHearing();
      endBeating();
    };
  }

  async function deliver(all: readonly LoggedChange[], upTo: number): Promise<void> {
    try {
      const logged = distinct(all);
      const concerned = await audienceOf(changes, logged, listeners);
      const news = new Map<Listener, LoggedChange[]>();
      concerned.forEach((heard, index) => {
        const change = logged[index] as LoggedChange;
        for (const listener of heard) {
          const known = news.get(listener);
          if (known) known.push(change);
          else news.set(listener, [change]);
        }
      });
      position = upTo;
      for (const [listener, ours] of news) streams.get(listener)?.tell(toldOf(ours), upTo);
    } catch (err) {
      log.error({ err }, 'events could not be told');
      endAll('later'); // they come back and are told what they missed
    }
  }

  function beat(): void {
    for (const stream of streams.values()) {
      stream.looks++;
      // Looks are counted too: a clock that was set back, or a tool stopped, silences no stream.
      if (now() - stream.beatAtMs < beatEveryMs && stream.looks < beatEveryMs / lookEveryMs) continue;
      stream.beatAtMs = now();
      stream.looks = 0;
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
        if ((controller.desiredSize ?? 0) <= 0) close(); // reads too slowly: comes back and is told what it missed
      }

      function close(): void {
        if (!streams.has(listener)) return;
        remove(stream);
        controller.close();
      }

      function sendChanges(told: readonly Change[], upTo: number): void {
        stream.toldPosition = upTo;
        send(`id: ${cursor(upTo)}\n${told.length > 0 ? `event: changes\ndata: ${JSON.stringify(told)}\n` : ''}\n`);
      }

      let waiting: (() => void)[] | undefined = [];
      const stream: Open = {
        listener,
        recheck,
        body,
        beatAtMs: now(),
        looks: 0,
        toldPosition: -1,
        begin(told, upTo) {
          sendChanges(told, upTo);
          for (const tell of waiting ?? []) tell();
          waiting = undefined;
        },
        tell(told, upTo) {
          if (waiting) waiting.push(() => sendChanges(told, upTo));
          else sendChanges(told, upTo);
        },
        beat(upTo) {
          if (waiting) return;
          if (upTo > stream.toldPosition) sendChanges([], upTo);
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
