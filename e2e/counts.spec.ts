import { expect, test } from '@playwright/test';
import { countIdle } from '../bench/counts/idle-counts.ts';
import { countPages, paintOf } from '../bench/counts/page-counts.ts';
import type { Count } from '../bench/figures/report.ts';
import { startBenchSite } from '../bench/site.ts';

// Costs of a page in numbers that a busy machine does not change (ADR 93).

function only(counts: readonly Count[], start: string): Readonly<Record<string, number>> {
  const ofStart = counts.filter(({ name }) => name.startsWith(start));
  return Object.fromEntries(ofStart.map(({ name, value }) => [name.slice(start.length), value]));
}

const roundTrips = {
  'first visit to a gadget': 5,
  'second visit to a gadget': 5,
  'first visit to a floor': 5, // the least that this design allows
  'second visit to a floor': 5,
  'first visit to a bare frame': 3,
  'second visit to a bare frame': 3,
};

test('a page paints data after so many round trips in a row (ADR 93)', async ({ browser }) => {
  const asked = {
    'a gadget': 'gadgets.html?app=list&count=1',
    'a floor': 'floor/index.html?app=list&count=1',
    'a bare frame': 'frames.html?file=data.html&count=1',
  };
  const least: Record<string, number> = {};
  // A browser that is kept from asking needs a round more, never one less.
  for (let turn = 0; turn < 3 && JSON.stringify(least) !== JSON.stringify(roundTrips); turn++) {
    const counted = only(await countPages(browser, asked), 'Round trips until data is painted, a ');
    for (const [name, value] of Object.entries(counted)) least[name] = Math.min(least[name] ?? value, value);
  }
  expect(least).toEqual(roundTrips);
});

test('ten gadgets of a page ask together (ADR 93)', async ({ browser }) => {
  const counts = await countPages(browser, { '10 gadgets': 'gadgets.html?app=list&count=10' });
  const ofFirst = (name: string) => only(counts, `${name} until data is painted, a `)['first visit to 10 gadgets'];
  expect(ofFirst('POSTs')).toBe(2); // instances and calls
  expect(ofFirst('Requests')).toBeLessThan(40); // the document of each, the parts of the container
});

test('a page asks for chrome and outbox after its first data are painted (ADR 14)', async ({ browser }) => {
  const site = await startBenchSite();
  const parts = ['app-load', 'gadget-chrome', 'mount-chrome', 'open-outbox'];
  try {
    let early = parts;
    for (let turn = 0; turn < 3 && early.length > 1; turn++) {
      const page = await (await browser.newContext()).newPage();
      const paintMs = await paintOf(page, `${site.url}/bench/gadgets.html?app=list&count=1`);
      const asked = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').map(({ name, startTime }) => ({
            name: /chunks\/(.*)-.{8}\.js$/.exec(name)?.[1],
            atMs: performance.timeOrigin + startTime,
          })),
        );
      await expect.poll(async () => (await asked()).map(({ name }) => name)).toEqual(expect.arrayContaining(parts));
      const before = (await asked()).filter(({ atMs }) => atMs < paintMs).map(({ name }) => name);
      early = early.filter((name) => before.includes(name));
      await page.context().close();
    }
    expect(early).toEqual(['app-load']); // which starts the app
  } finally {
    await site.close();
  }
});

test('positive control: a script that fetches the container, and gadgets that come one by one', async ({ browser }) => {
  const late = `<!doctype html><title>Late</title><body><gantry-gadget app="list" loading="eager"></gantry-gadget>
    <script>globalThis.readyAtMs = new Promise((resolve) => addEventListener('gantry-ready', resolve));</script>
    <script type="module">await fetch('/bench/people.json'); await import('/gantry/container.js');</script>`;
  const apart = `<!doctype html><title>Apart</title><body>
    <script type="module" src="/gantry/container.js"></script>
    <script>
      const add = () => document.body.insertAdjacentHTML('afterbegin', '<gantry-gadget app="bench" loading="eager"></gantry-gadget>');
      const ready = () => new Promise((resolve) => addEventListener('gantry-ready', resolve, { once: true }));
      globalThis.readyAtMs = (async () => {
        for (const one of [1, 2, 3]) { add(); await ready(); }
        document.body.insertAdjacentHTML('afterbegin', '<gantry-gadget app="list" loading="eager"></gantry-gadget>');
        await ready();
      })();
    </script>`;
  const asked = { 'a late container': 'late.html', 'gadgets apart': 'apart.html' };
  const counts = await countPages(browser, asked, { pages: { 'late.html': late, 'apart.html': apart } });
  expect(only(counts, 'Round trips until data is painted, a ')['first visit to a late container']).toBeGreaterThan(5);
  expect(only(counts, 'POSTs until data is painted, a ')['first visit to gadgets apart']).toBeGreaterThan(4);
});

test('an idle page with ten gadgets has one timer, the heartbeat of all, and its gadgets none (ADR 93)', async ({
  browser,
}) => {
  const site = await startBenchSite({
    pages: {
      'restless.html': `<!doctype html><title>Restless</title>
        <script type="module" src="/gantry/container.js"></script><body>
        <script>
          document.write('<gantry-gadget app="bench" loading="eager"></gantry-gadget>'.repeat(10));
          globalThis.readyAtMs = new Promise((resolve) => addEventListener('gantry-ready', resolve));
          addEventListener('gantry-ready', () => setInterval(() => {}, 5_000)); // a heartbeat of each
        </script>`,
    },
  });
  try {
    const [quiet, restless] = await Promise.all(
      ['gadgets.html?count=10', 'restless.html'].map((path) => countIdle(browser, `${site.url}/bench/${path}`)),
    );
    const ofPage = (counts: readonly Count[] = []) => only(counts, 'Timers ');
    expect(ofPage(quiet)['that fire in an idle page with 10 gadgets']).toBeLessThanOrEqual(16);
    expect(ofPage(quiet)['set by an idle page with 10 gadgets']).toBeLessThanOrEqual(24);
    expect(ofPage(quiet)['that fire in 10 idle gadgets']).toBe(0);
    expect(ofPage(restless)['that fire in an idle page with 10 gadgets']).toBeGreaterThan(100); // control
  } finally {
    await site.close();
  }
});
