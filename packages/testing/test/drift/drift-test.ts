import { rm } from 'node:fs/promises';
import { canonicalTape, canonicalText, type Tape } from '@gantry/lab/tape';
import { type Host, openHost } from '@gantry/testing/node';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSchema, type Schema } from '../../../store/test/postgres.ts';
import { evened, knownDifferences } from './known-differences.ts';
import { recordInNode, recordInPage } from './recordings.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { openProxied, openServe, type Site } from './sites.ts';
import { appId, membersOf, world, writeApp } from './world.ts';

type SiteName = 'gantry serve with SQLite' | 'gantry serve with PostgreSQL' | 'gantry proxy before a site';
type Recordings = ReadonlyMap<Scenario, Promise<string>>;

const textOf = (tape: Tape): string => canonicalText(canonicalTape(evened(tape), { wildcards: true }));

let folder: string;
let host: Host;
let browser: Browser;
let schema: Schema;
let inNode: Recordings;
const sites: Site[] = [];
const inPages = new Map<SiteName, Recordings>();

/** Records one scenario after the other. Each test waits for its own. */
function recordAll(record: (scenario: Scenario) => Promise<Tape>): Recordings {
  let last: Promise<unknown> = Promise.resolve();
  return new Map(
    scenarios.map((scenario) => {
      const text = last.then(() => record(scenario)).then(textOf);
      last = text.catch(() => {});
      return [scenario, text];
    }),
  );
}

async function recordAllOf(name: SiteName, opening: Promise<Site>): Promise<void> {
  const site = await opening;
  sites.push(site);
  const page = await browser.newPage();
  inPages.set(
    name,
    recordAll(async (scenario) => {
      // Streams of gadgets that were replaced stay open, and a browser opens six connections to a
      // host.
      if (scenarios.indexOf(scenario) % 4 === 0) await page.goto(`${site.url}/`);
      return recordInPage(page, site, scenario);
    }),
  );
}

beforeAll(async () => {
  folder = await writeApp();
  schema = await createSchema();
  browser = await chromium.launch({
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  host = await openHost({ app: { id: appId, folder }, world: () => world });
  inNode = recordAll((scenario) => recordInNode(host, scenario));
  await Promise.all([
    recordAllOf('gantry serve with SQLite', openServe(folder)),
    recordAllOf('gantry serve with PostgreSQL', openServe(folder, schema.url)),
    recordAllOf('gantry proxy before a site', openProxied(folder)),
  ]);
});
afterAll(async () => {
  await browser?.close();
  for (const site of sites) await site.close();
  await host?.close();
  await schema?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe.each<SiteName>(['gantry serve with SQLite', 'gantry serve with PostgreSQL', 'gantry proxy before a site'])(
  'a host in Node and %s say the same',
  (name) => {
    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s (ADR 57)', async (_, scenario) => {
      expect(await inNode.get(scenario)).toBe(await inPages.get(name)?.get(scenario));
    });
  },
);

describe('control: what differs is found', () => {
  const [scenario] = scenarios as [Scenario];

  test('a host that answers with an error', async () => {
    await inNode.get(scenarios.at(-1) as Scenario);
    host.lab.calls.once('people.get', (call) => call.fail(403), { viewer: membersOf(scenario)[0] });
    expect(textOf(await recordInNode(host, scenario))).not.toBe(await inNode.get(scenario));
  });

  test('a host that answers with one other letter', async () => {
    const tape = await recordInNode(host, scenario);
    expect(textOf(tape)).toBe(await inNode.get(scenario));
    const wrong = JSON.parse(JSON.stringify(tape).replaceAll('Name of me', 'Name of mE')) as Tape;
    expect(textOf(wrong)).not.toBe(await inNode.get(scenario));
  });

  test('every known difference has a reason, and none leaves calls and replies out', () => {
    const reply = { kind: 'reply', call: 1, ok: 1, tookMs: 1, size: 1, number: 1, offsetMs: 0 } as const;
    for (const { because, even } of knownDifferences) {
      expect(because.length).toBeGreaterThan(20);
      expect(even(reply, [])).toBe(reply);
    }
  });
});
