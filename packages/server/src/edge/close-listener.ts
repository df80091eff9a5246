import { Server } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';

/** Limit for floods, which could be accepted for ever. */
const longestMs = 1_000;

/** A longer pass may have missed connections. A pass without events takes some microseconds. */
const shortPassMs = (waitedMs: number): number => (waitedMs < 100 ? 0.02 : 0.5);

/**
 * Stops listening without connection resets. The system completes connections before the process
 * accepts them, and closing the socket resets those. So this accepts until a pass of the event loop
 * finds none, and closes at once.
 *
 * Handshakes in progress at that moment are out of reach: the system resets them.
 */
export async function closeListener(server: Server): Promise<void> {
  let accepted = 0;
  server.on('connection', () => accepted++);
  await nextPass(); // the rest of the current pass
  const beganAtMs = performance.now();
  for (let isEmpty = false; !isEmpty; ) {
    const [before, startedAtMs] = [accepted, performance.now()];
    await nextPass();
    const nowMs = performance.now();
    const waitedMs = nowMs - beganAtMs;
    isEmpty = (accepted === before && nowMs - startedAtMs < shortPassMs(waitedMs)) || waitedMs > longestMs;
  }
  // Not the HTTP server's own close, which cuts idle ones and stops the timeouts of busy ones.
  Server.prototype.close.call(server);
}
