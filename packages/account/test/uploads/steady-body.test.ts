import { expect, test } from 'vitest';
import { type SteadyClock, steadyBody } from '../../src/uploads/steady-body.ts';

/** A clock that a test moves, with the body that it feeds. */
function feed() {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const clock: SteadyClock = {
    elapsed: () => nowMs,
    after(ms, callback) {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, undefined, { highWaterMark: 1_000 });
  const writer = writable.getWriter();
  const reader = readable.getReader();
  return {
    chunks: steadyBody(reader, clock),
    /** Ends the reading as a request's end does: a read that is left over would end the process. */
    async release() {
      reader.releaseLock();
      await turn();
    },
    send: (bytes: number) => writer.write(new Uint8Array(bytes)),
    end: () => writer.close(),
    /** Lets time pass in a process that is too busy for its timers. */
    async delay(ms: number) {
      await turn();
      nowMs += ms;
    },
    async wait(ms: number) {
      await turn();
      nowMs += ms;
      for (const timer of timers) {
        if (timer.atMs > nowMs) continue;
        timers.delete(timer);
        timer.callback();
      }
      await turn();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function sizeOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

test('a body of 6 bytes a second ends after ten seconds (security rule 35)', async () => {
  const body = feed();
  const read = expect(sizeOf(body.chunks)).rejects.toMatchObject({ status: 408, problem: 'image_too_slow' });
  for (let second = 0; second < 10; second++) {
    await body.send(6);
    await body.wait(1_000);
  }
  await read;
  await body.release();
});

test('a chunk that comes when its time is over, and before the timer, leaves no read behind', async () => {
  const body = feed();
  const read = expect(sizeOf(body.chunks)).rejects.toMatchObject({ status: 408 });
  await body.delay(10_001);
  await body.send(6);
  await read;
  await body.release();
});

test('a body that sends nothing ends too, and one that stops after a quick start', async () => {
  const silent = feed();
  const first = expect(silent.chunks.next()).rejects.toMatchObject({ status: 408 });
  await silent.wait(10_000);
  await first;
  const stopped = feed();
  const read = expect(sizeOf(stopped.chunks)).rejects.toMatchObject({ status: 408 });
  await stopped.send(1e6);
  await stopped.wait(10_000);
  await stopped.wait(10_000);
  await read;
});

test('a body of 1.1 kB a second is read to its end (the control), and so is a short one', async () => {
  const body = feed();
  const read = sizeOf(body.chunks);
  for (let second = 0; second < 60; second++) {
    await body.send(1_100);
    await body.wait(1_000);
  }
  await body.end();
  expect(await read).toBe(66_000);
  const short = feed();
  await short.send(3);
  await short.end();
  expect(await sizeOf(short.chunks)).toBe(3);
});

test('time in which no chunk is asked for does not count: pictures before it are being drawn', async () => {
  const body = feed();
  await body.send(100);
  await body.chunks.next();
  await body.wait(60_000);
  await body.send(100);
  await body.end();
  expect(await sizeOf(body.chunks)).toBe(100);
});
