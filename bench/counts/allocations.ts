import type { Count } from '../figures/report.ts';
import { startMeasuredSite } from '../measured-site.ts';
import { countedRequests } from './requests.ts';

const requests = 150;
const warmUp = 3;

// So large that nothing is collected while requests are counted.
const flags = ['--min-semi-space-size=256', '--max-semi-space-size=256'];

/** Counts the bytes that a server allocates on V8's heap for each request. */
export async function countAllocations(): Promise<readonly Count[]> {
  const site = await startMeasuredSite(flags);
  try {
    const counts: Count[] = [];
    for (const { name, status, prepare } of await countedRequests(site, site.agent)) {
      const run = async () => {
        const prepared = [];
        while (prepared.length < requests) prepared.push(await prepare());
        const before = await site.memory();
        await site.cost(prepared, status);
        const after = await site.memory({ isCollected: false });
        return after.heapUsed - before.heapUsed;
      };
      for (let turn = 0; turn < warmUp; turn++) await run();
      counts.push({ name: `Allocated by ${name}`, value: Math.round((await run()) / requests), unit: 'bytes' });
    }
    return counts;
  } finally {
    await site.close();
  }
}
