import { Server } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';

/** A flood could be accepted for ever. */
const longestMs = 1_000;

/**
 * In a pass of the event loop that took longer, connections may have come after it looked for them. A pass without events takes
 * some microseconds; where none is that short, a busy machine's will do.
 */
const shortPassMs = (waitedMs: number): number => (waitedMs < 100 ? 0.02 : 0.5);

/**
 * Stops listening without a reset. The system completes connections before the process accepts them, and closing the listening
 * socket resets those. So this accepts until a pass of the event loop found none, and closes at once.
 *
 * Handshakes that are under way at that moment are beyond reach of the process: the system resets them.
 */
export async function closeListener(server: Server): Promise<void> {
  let accepted = 0;
  server.on('connection', () => accepted++);
  await nextPass(); // the rest of this one
  const beganAtMs = performance.now();
  for (let isEmpty = false; !isEmpty; ) {
    const [before, startedAtMs] = [accepted, performance.now()];
    await nextPass();
    const nowMs = performance.now();
    const waitedMs = nowMs - beganAtMs;
    isEmpty = (accepted === before && nowMs - startedAtMs < shortPassMs(waitedMs)) || waitedMs > longestMs;
  }
  // Not the http server's own close: that cuts idle connections at once, and stops the time-outs of busy ones.
  Server.prototype.close.call(server);
}
