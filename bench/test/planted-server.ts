// A server with planted costs, for the tests of the grid. Its path chooses one.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const buffers: Buffer[] = [];
const sleeper = new Int32Array(new SharedArrayBuffer(4));

function spend(ms: number): void {
  const { user, system } = process.threadCpuUsage();
  for (;;) {
    const now = process.threadCpuUsage();
    if (now.user + now.system - user - system >= ms * 1_000) return;
  }
}

/** Costs by path. In the grid only other requests than plain ones have them: those with a query. */
const costs: Readonly<Record<string, () => unknown>> = {
  '/stop': () => spend(400),
  '/turns': async () => {
    for (let turn = 0; turn < 40; turn++) {
      spend(10);
      await pause(0);
    }
  },
  '/sleep': () => Atomics.wait(sleeper, 0, 0, 400),
  '/hold': () => buffers.push(Buffer.alloc(100 * 2 ** 20, 1)),
  '/pass': () => {
    Buffer.alloc(100 * 2 ** 20, 1);
  },
  '/healthz?': () => spend(2_000), // found on a machine that is seven times slower, too
  '/reference?': () => buffers.push(Buffer.alloc(100 * 2 ** 20, 1)),
};

createServer(async ({ url = '/' }, outgoing) => {
  const [path] = url.split(/(?<=\?)/);
  await costs[path ?? '']?.();
  outgoing.statusCode = url.startsWith('/readyz') ? 404 : 200;
  outgoing.end();
  if (path === '/openapi.json?') process.exit();
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
process.once('disconnect', () => process.exit());
