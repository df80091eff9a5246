// `npm run bench`: prints each figure as a ratio to a comparison measured in the same run.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBrowser } from './browser.ts';
import { measureCosts } from './costs.ts';
import { measureCounts } from './counts/main.ts';
import { compareCommits } from './figures/compare.ts';
import { writePage } from './figures/page.ts';
import { createReport, type Report } from './figures/report.ts';
import { writeResults } from './figures/results.ts';
import { measureFormats } from './formats.ts';
import { measureKit } from './kit.ts';
import { measureMemory } from './memory.ts';
import { measureMounts } from './mounts.ts';
import { measureOverload } from './overload.ts';
import partsByNeed from './parts.json' with { type: 'json' };
import { measureProxy } from './proxy.ts';
import { measureRestarts } from './restarts.ts';
import { measureSaves } from './saves.ts';
import { measureScale } from './scale.ts';
import { measureService } from './service.ts';
import { startBenchSite } from './site.ts';
import { measureSizes } from './sizes.ts';
import { measureStarts } from './starts.ts';
import { measureStops } from './stops.ts';
import { measureWrites } from './writes.ts';

/** The parts that `parts.json` lists: the types refuse one that is missing here or there. */
const parts: Readonly<Record<Part, (report: Report) => Promise<void> | void>> = {
  service: measureService,
  formats: measureFormats,
  proxy: measureProxy,
  browser: onSite(measureBrowser),
  mounts: onSite(measureMounts),
  starts: measureStarts,
  memory: onSite(measureMemory),
  sizes: measureSizes,
  counts: measureCounts,
  saves: measureSaves,
  kit: onSite(measureKit),
  stops: async () => {
    await measureStops();
    await measureRestarts();
  },
  overload: measureOverload,
  costs: measureCosts,
  writes: measureWrites,
  scale: measureScale,
};
type Part = keyof typeof partsByNeed;
const usual: readonly Part[] = ['service', 'formats', 'proxy', 'browser', 'sizes', 'counts'];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    json: { type: 'string' },
    rounds: { type: 'string' },
    turns: { type: 'string', default: '8' },
  },
});
const [command, ref = ''] = positionals;
const isCompared = command === 'compare';
const isPage = command === 'page';
const chosen = isCompared ? positionals.slice(2) : positionals.slice(isPage ? 1 : 0);
if (flags.help || (isCompared && ref === '') || !chosen.every(isPart)) {
  console.log(`Usage: npm run bench [-- PART …] [--json FILE] [--rounds N]
       npm run bench -- compare COMMIT [PART …] [--turns N]
       npm run bench -- page

Prints each figure as a ratio to what it is compared with, and in parentheses the interval that has the true ratio in it
(95 %). It says that a goal is met or missed only if the whole interval does. A/A is the comparison measured twice: its
distance from 1 is noise, and widens the interval. \`compare\` measures another commit and these files by turns, each in
new processes. \`--json\` writes the results to a file, and \`page\` draws those of bench/results over their commits.

Runs the parts named, or all but those that take minutes:

  service   A verified read against a static answer
  formats   Verified lists in XML and Atom against JSON
  proxy     A gadget's read through the proxy against the same read sent to the service
  browser   Reads and batches in a gadget against bare ports
  mounts    10 and 100 gadgets against as many bare frames (several minutes)
  starts    A gadget's first paint with data against a bare frame that has them (several minutes)
  memory    A server over 200,000 requests and with 1,000 listeners, a page with 100 gadgets (ten minutes)
  sizes     What a browser loads
  counts    Statements, crossings, requests, round trips, timers and allocated bytes, which no load can bend
  kit       A site for a test, and a mount of @gantry/testing against a bare frame
  saves     From a save to the screen in the dev host, against Vite alone
  stops     Requests that are lost when a server under load is stopped, and when it is replaced (two minutes)
  overload  How those that are served fare while three times as many ask as can be served
  costs     How long hostile inputs hold up a server for everybody, with CPU time and memory (Linux; five minutes); those
            that reach only a page of the site are not in it
  writes    32 clients that write at once, sharing disk syncs against a sync each (needs strace; two minutes)
  scale     Worlds of 1,000, 100,000 and 1,000,000 members: making them, and every read in each (half an hour and 12 GB in
            the folder for temporary files, or in GANTRY_SCALE, which later runs use again)

  npm run bench
  npm run bench -- writes
  npm run bench -- compare main service proxy --turns 6`);
  process.exit(flags.help ? 0 : 2);
}
const named = chosen.length > 0 ? chosen.filter(isPart) : usual;
if (isCompared) compareCommits({ ref, parts: named, turns: Number(flags.turns) });
else if (isPage) {
  const page = join(import.meta.dirname, 'dist/index.html');
  const runs = writePage(join(import.meta.dirname, 'results'), page);
  console.log(`${page} shows ${runs} runs.`);
} else {
  const report = createReport(flags.rounds === undefined ? {} : { maxRounds: Number(flags.rounds) });
  for (const name of named) await parts[name](report);
  if (flags.json !== undefined) writeResults(flags.json, report);
}

function isPart(name: string): name is Part {
  return Object.hasOwn(parts, name);
}

function onSite(measure: (url: string, report: Report) => Promise<void>): (report: Report) => Promise<void> {
  return async (report) => {
    const site = await startBenchSite();
    await measure(site.url, report);
    await site.close();
  };
}
