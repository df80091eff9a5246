import { createListeners, type Listener, type LoggedChange } from '@gantry/store';
import type { EventsEnd } from '@gantry/wire';
import type { Ports } from '../ports.ts';
import { audienceOf, type ChangeSource, distinctChanges, toWireChanges } from './changes.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

interface Timed extends EventStream {
  /** Resolves with the reason to end the stream. Called every 15 s, and if the viewer changed. */
  readonly recheck: () => Promise<EventsEnd | undefined>;
  readonly endsAtMs: number;
  /** Ticks until then. */
  ticksLeft: number;
  beatAtMs: number;
  /** Ticks since the last heartbeat. */
  ticks: number;
}

const beatEveryMs = 15_000; // below what reverse proxies usually wait for the next byte
const tickEveryMs = 1_000;
// A recheck sees the request that opened the stream, and its session is an object of that moment.
// Only a new request sees a sign-out in another tab, so pages ask anew. Lifetimes differ, since all
// streams are opened together after a restart.
const [leastTicks, mostTicks] = [45, 60];

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
  const streams = new Map<Listener, Timed>();
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

  function recheck(stream: Timed | undefined, onValid = () => {}): void {
    stream?.recheck().then(
      (why) => (why === undefined ? onValid() : stream.end(why)),
      () => stream.end('later'),
    );
  }

  function endAll(why: EventsEnd): void {
    for (const stream of streams.values()) stream.end(why);
  }

  function remove(listener: Listener): void {
    streams.delete(listener);
    listeners.delete(listener);
    if (streams.size > 0) return;
    stop?.();
    stop = undefined;
  }

  return {
    get size() {
      return streams.size;
    },
    countOf: (viewer: string) => listeners.ofViewer(viewer).size,
    open(listener: Listener, recheck: Timed['recheck']): EventStream {
      const lifeTicks = leastTicks + (opened++ % (mostTicks - leastTicks + 1));
      const stream = {
        ...openEventStream(cursor, () => remove(listener)),
        recheck,
        endsAtMs: now() + lifeTicks * tickEveryMs,
        ticksLeft: lifeTicks,
        beatAtMs: now(),
        ticks: 0,
      };
      streams.set(listener, stream);
      listeners.add(listener);
      stop ??= start();
      return stream;
    },
    close: () => endAll('later'),
  };
}
