import {
  test as base,
  type Page,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
} from '@playwright/test';
import { browserProblem } from './browser-check.ts';
import { endRun } from './end-run.ts';
import { nameForgottenAwait } from './forgotten-await.ts';
import { gadgetFixture, gantryFixture } from './gadget-fixtures.ts';
import { type KitOrProblem, kitFixture } from './kit.ts';
import type { SiteOfTest } from './open-site.ts';
import { siteFixture } from './site-fixture.ts';
import type { GantryFixtures, GantryOptions } from './types.ts';

/** Fixtures for those of this package, with names that no other package has. */
interface OwnFixtures {
  /** The site of the test, which `gantry.lab` is a part of. */
  gantrySite: SiteOfTest;
  /** Time of `performance.now()` when the test's own time began: before its page and its site. */
  gantryStartedAtMs: number;
  /** Ends a run without a browser. */
  gantryBrowserReady: undefined;
}

interface OwnWorkerFixtures {
  gantryKit: KitOrProblem;
  gantryBrowser: { readonly problem: string | undefined };
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
  world: ['friendly', { option: true }],
  scenario: [{}, { option: true }],
  seed: [undefined, { option: true }],
  expectedErrors: [[], { option: true }],
  gantryKit: [kitFixture, { scope: 'worker', title: 'site for tests' }],
  gantryBrowser: [
    async ({ playwright, browserName, channel, connectOptions, headless, launchOptions }: BrowserArgs, use) => {
      const options = { channel, connectOptions, headless, launchOptions };
      await use({ problem: await browserProblem(playwright[browserName], options) });
    },
    { scope: 'worker', box: true },
  ],
  gantryStartedAtMs: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}: object, use) => use(performance.now()),
    { auto: true, box: true },
  ],
  gantryBrowserReady: [
    async ({ gantryBrowser: { problem } }, use, testInfo: TestInfo) => {
      if (problem !== undefined) await endRun(problem, testInfo);
      await use(undefined);
      await nameForgottenAwait(testInfo);
    },
    { box: true },
  ],
  page: async ({ gantryBrowserReady: _checked, page }: { gantryBrowserReady: undefined; page: Page }, use) => use(page),
  gantrySite: [siteFixture, { title: 'site' }],
  gadget: gadgetFixture,
  gantry: [gantryFixture, { box: true }],
});
type BrowserArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions;
