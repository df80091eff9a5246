// `npm run bench`: each figure beside what it is compared with, as a ratio measured in this run.
import { measureBrowser } from './browser.ts';
import { measureService } from './service.ts';
import { startBenchSite } from './site.ts';
import { measureSizes } from './sizes.ts';

if (process.argv.includes('--help')) {
  console.log(`Usage: npm run bench

Prints each figure beside what it is compared with. A/A is the comparison measured twice: its distance from 1 is noise.`);
  process.exit();
}
await measureService();
const site = await startBenchSite();
await measureBrowser(site.url);
await site.close();
measureSizes();
