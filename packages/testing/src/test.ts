import {
  test as base,
  type Page,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
} from '@playwright/test';
import { browserProblem } from './browser-check.ts';
import { createTestClock, pagesAt } from './clock.ts';
import { createConsent } from './consent.ts';
import { endRun } from './end-run.ts';
import { gadgetFixture, openFixture } from './gadget-fixtures.ts';
import { type KitOrProblem, kitFixture } from './kit.ts';
import { createNetwork } from './network.ts';
import type { SiteOfTest } from './open-site.ts';
import { createSite } from './site.ts';
import { siteFixture } from './site-fixture.ts';
import type { GantryFixtures, GantryOptions } from './types.ts';

/** Fixtures for those of this package. */
interface OwnFixtures {
  /** The site of the test, which `lab` is a part of. */
  siteOfTest: SiteOfTest;
  /** Ends a run without a browser. */
  browserReady: undefined;
}

interface OwnWorkerFixtures {
  kitOfWorker: KitOrProblem;
  browserProblem: { readonly problem: string | undefined };
}

/**
 * Playwright's `test` with a site for each test and the gadget under test. Put it together with
 * your own: `mergeTests(test, yours)`.
 *
 * @example
 * import { expect, test } from '@gantry/testing';
 *
 * test('greets the member', async ({ gadget }) => {
 *   await gadget.mount();
 *   await expect(gadget.frame.getByText('Hello Ann')).toBeVisible();
 * });
 */
export const test = base.extend<GantryOptions & GantryFixtures & OwnFixtures, OwnWorkerFixtures>({
  apps: [['.'], { option: true }],
  world: ['pleasant', { option: true }],
  scenario: [{}, { option: true }],
  seed: [undefined, { option: true }],
  kitOfWorker: [kitFixture, { scope: 'worker', title: 'site for tests' }],
  browserProblem: [
    async ({ playwright, browserName, channel, connectOptions, headless, launchOptions }: BrowserArgs, use) => {
      const options = { channel, connectOptions, headless, launchOptions };
      await use({ problem: await browserProblem(playwright[browserName], options) });
    },
    { scope: 'worker', box: true },
  ],
  browserReady: [
    async ({ browserProblem: { problem } }, use, testInfo: TestInfo) => {
      if (problem !== undefined) await endRun(problem, testInfo);
      await use(undefined);
    },
    { box: true },
  ],
  page: async ({ browserReady: _checked, page }: { browserReady: undefined; page: Page }, use) => use(page),
  siteOfTest: [siteFixture, { title: 'site' }],
  lab: [({ siteOfTest }, use) => use(siteOfTest.lab), { box: true }],
  gadget: gadgetFixture,
  open: openFixture,
  clock: ({ siteOfTest: { lab, url }, browser, context }, use) =>
    use(createTestClock({ lab, pages: () => pagesAt(url, { browser, context }) })),
  faults: ({ lab }, use) => use(lab.faults),
  calls: ({ lab }, use) => use(lab.calls),
  social: ({ lab }, use) => use(lab.social),
  consent: ({ gadget, lab }, use) => use(createConsent(gadget, lab)),
  network: ({ page }, use) => use(createNetwork(page)),
  site: ({ gadget, lab }, use) => use(createSite(gadget, lab)),
});
type BrowserArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions;
