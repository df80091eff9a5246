// The clients of `stops.ts`: their own process, so that they send while the server is busy.
import { loadUntilRefused, type StopLoadOptions } from '../packages/server/test/stop-load.ts';

process.on('message', async (options: StopLoadOptions) => {
  process.send?.(await loadUntilRefused({ ...options, onAnswer: (count) => process.send?.(count) }));
});
process.on('disconnect', () => process.exit());
