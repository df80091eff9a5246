// The attacked server: its own process, with short time-outs, that reports the resources it holds.
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
    // On a busy machine the attacks alone would be an overload, and every response 503.
    lagMs: 10_000,
    waitMs: 10_000,
  },
});

/** Resources of the process after garbage collection. */
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
