// Another client of the server in `costs.ts`. A process of its own is not delayed by preparing
// attacks.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 3;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const url = `${process.argv[2]}/healthz`;
let longestMs = 0;
let asking: Promise<void> = Promise.resolve();
let isAsking = false;

/** Sends requests one after another and keeps the longest wait. */
async function keepAsking(): Promise<void> {
  while (isAsking) {
    longestMs = Math.max(longestMs, await ask());
    await pause(everyMs);
  }
}

function ask(): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => answer.resume().on('end', () => resolve(performance.now() - startMs)))
      .on('error', reject)
      .end();
  });
}

process.on('message', async (command: 'begin' | 'end') => {
  if (command === 'begin') {
    await ask(); // opens the connection
    longestMs = 0;
    isAsking = true;
    asking = keepAsking();
  } else {
    isAsking = false;
    await asking;
  }
  process.send?.(longestMs);
});
process.once('disconnect', () => agent.destroy());
process.send?.('ready');
