// The measured server: a process of its own, so that its CPU time is nobody else's.
import { startBenchSite } from './site.ts';

const site = await startBenchSite();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('disconnect', () => site.close());
process.send?.({ url: site.url, consumer: site.consumer });
