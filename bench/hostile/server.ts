// The attacked server: a process of its own, with short time-outs, that tells what it holds.
import { readdirSync } from 'node:fs';
import { defaultLimits, readServerConfiguration, startServer } from '@gantry/server';

const server = await startServer({
  configuration: readServerConfiguration(['--port', '0', '--data', process.argv[2] ?? ''], {}),
  viewer: async () => '1',
  limits: {
    ...defaultLimits,
    headersMs: 1_000,
    requestMs: 5_000,
    keepAliveMs: 500,
    silenceMs: 7_000,
    checkMs: 100,
    // On a busy machine the attacks alone would be an overload, and every answer 503.
    lagMs: 10_000,
    waitMs: 10_000,
  },
});

/** What the process holds once everything that can be freed was freed. */
export interface Holdings {
  readonly heapBytes: number;
  readonly descriptors: number;
}

process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed: heapBytes } = process.memoryUsage();
  process.send?.({ heapBytes, descriptors: readdirSync('/proc/self/fd').length } satisfies Holdings);
});
process.once('disconnect', () => server.close());
process.send?.({ url: server.url });
