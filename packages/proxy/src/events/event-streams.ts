import { createListeners, type Listener, type LoggedChange } from '@gantry/store';
import type { Change, EventsEnd } from '@gantry/wire';
import type { Ports } from '../ports.ts';
import { audienceOf, type ChangeSource, distinctChanges, toWireChanges } from './changes.ts';

interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves with the reason to end the stream. Called every 15 s, and if the viewer changed. */
  readonly recheck: () => Promise<EventsEnd | undefined>;
  readonly endsAtMs: number;
  /** Ticks until then. */
  ticksLeft: number;
  beatAtMs: number;
  /** Ticks since the last heartbeat. */
  ticks: number;
  /** Sends the changes that the page missed, then those since the stream was opened. */
  begin(changes: readonly Change[], position: number): void;
  notify(changes: readonly Change[], position: number): void;
  beat(position: number): void;
  end(why: EventsEnd): void;
}

const beatEveryMs = 15_000; // below what reverse proxies usually wait for the next byte
const tickEveryMs = 1_000;
// A recheck sees the request that opened the stream, and its session is an object of that moment.
// Only a new request sees a sign-out in another tab, so pages ask anew. Lifetimes differ, since all
// streams are opened together after a restart.
const [leastTicks, mostTicks] = [45, 60];
const backlogBytes = 64 * 1024;

/**
 * Delivers changes to event streams.
 *
 * @param options.changes Read only while a stream is open.
 * @param options.cursor Converts a position to the id of an event.
 */
export function createEventStreams(
  options: Pick<Ports, 'now' | 'log' | 'every'> & {
    readonly changes: ChangeSource;
    readonly cursor: (position: number) => string;
  },
) {
  const { changes, cursor, now, log, every } = options;
  const streams = new Map<Listener, EventStream>();
  const listeners = createListeners();
  let delivered: Promise<void> = Promise.resolve();
  let position = 0;
  let opened = 0;
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
      const news = audiences.flatMap((audience, index) =>
        audience.map((listener) => ({ listener, change: logged[index] as LoggedChange })),
      );
      position = upTo;
      for (const [listener, ours] of Map.groupBy(news, (one) => one.listener)) {
        streams.get(listener)?.notify(toWireChanges(ours.map(({ change }) => change)), upTo);
      }
      // The viewer may have been removed: their streams end now, not with the next heartbeat.
      for (const { topic, memberId } of logged) {
        if (topic === 'people') for (const listener of listeners.ofViewer(memberId)) recheck(streams.get(listener));
      }
    } catch (err) {
      log.error({ err }, 'events could not be delivered');
      endAll('later'); // pages reconnect and receive what they missed
    }
  }

  function tick(): void {
    for (const stream of streams.values()) {
      stream.ticks++;
      stream.ticksLeft--;
      // Ticks count too: a clock that was set back or stopped neither silences nor prolongs one.
      if (now() >= stream.endsAtMs || stream.ticksLeft <= 0) {
        stream.end('expired');
        continue;
      }
      if (now() - stream.beatAtMs < beatEveryMs && stream.ticks < beatEveryMs / tickEveryMs) continue;
      stream.beatAtMs = now();
      stream.ticks = 0;
      recheck(stream, () => stream.beat(position));
    }
  }

  function recheck(stream: EventStream | undefined, onValid = () => {}): void {
    stream?.recheck().then(
      (why) => (why === undefined ? onValid() : stream.end(why)),
      () => stream.end('later'),
    );
  }

  function endAll(why: EventsEnd): void {
    for (const stream of streams.values()) stream.end(why);
  }

  /** Returns false for a stream that was removed before. */
  function remove(listener: Listener): boolean {
    if (!streams.delete(listener)) return false;
    listeners.delete(listener);
    if (streams.size === 0) {
      stop?.();
      stop = undefined;
    }
    return true;
  }

  return {
    get size() {
      return streams.size;
    },
    countOf: (viewer: string) => listeners.ofViewer(viewer).size,
    open(listener: Listener, recheck: EventStream['recheck']): EventStream {
      let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          start(given) {
            controller = given;
          },
          cancel: () => void remove(listener),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: backlogBytes }),
      );

      function send(text: string): void {
        if (!streams.has(listener)) return;
        controller.enqueue(Buffer.from(text));
        if ((controller.desiredSize ?? 0) <= 0) close(); // too slow: the page reconnects and receives what it missed
      }

      function close(): void {
        if (remove(listener)) controller.close();
      }

      function sendChanges(stale: readonly Change[], upTo: number): void {
        sentPosition = upTo;
        send(`id: ${cursor(upTo)}\n${stale.length > 0 ? `event: changes\ndata: ${JSON.stringify(stale)}\n` : ''}\n`);
      }

      const lifeTicks = leastTicks + (opened++ % (mostTicks - leastTicks + 1));
      let sentPosition = -1;
      let waiting: (() => void)[] | undefined = [];
      const stream: EventStream = {
        recheck,
        body,
        endsAtMs: now() + lifeTicks * tickEveryMs,
        ticksLeft: lifeTicks,
        beatAtMs: now(),
        ticks: 0,
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
      streams.set(listener, stream);
      listeners.add(listener);
      stop ??= start();
      return stream;
    },
    close: () => endAll('later'),
  };
}
