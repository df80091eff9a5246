import type { Browser, BrowserContext, BrowserContextOptions, Page, TestInfo } from '@playwright/test';
import { createTestClock, pagesAt } from './clock.ts';
import { createConsent } from './consent.ts';
import { attachFailure } from './failure/attach-failure.ts';
import { createGadget, type OwnedGadget } from './gadget.ts';
import { createNetwork } from './network.ts';
import { withOpenPromises } from './open-promises.ts';
import type { SiteOfTest } from './open-site.ts';
import { createSite } from './site.ts';
import type { Gadget, Gantry, GantryOptions } from './types.ts';

type Site = Pick<GantryOptions, 'scenario'> & { readonly gantrySite: SiteOfTest; readonly gantryStartedAtMs: number };

/** The gadget in the page of a test. */
export async function gadgetFixture(
  { gantrySite: site, gantryStartedAtMs: startedAtMs, page, scenario }: Site & { readonly page: Page },
  use: (gadget: Gadget) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const owned = createGadget({ page, site, startedAtMs, scenario, testInfo });
  await use(owned.gadget);
  const problem = await endGadget(owned, site.promises, '', testInfo);
  if (problem) throw problem;
}

/** The surroundings of the gadget. Other members get a browser context each. */
export async function gantryFixture(
  {
    gantrySite: site,
    gantryStartedAtMs: startedAtMs,
    gadget,
    browser,
    context: own,
    scenario,
    contextOptions,
  }: Site & {
    readonly gadget: Gadget;
    readonly browser: Browser;
    readonly context: BrowserContext;
    readonly contextOptions: BrowserContextOptions;
  },
  use: (gantry: Gantry) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const opened: { readonly context: BrowserContext; readonly owned: OwnedGadget }[] = [];
  const { lab, url } = site;
  const { calls } = lab;
  const open = <Part extends object>(name: string, part: Part): Part =>
    withOpenPromises(part, `gantry.${name}`, site.promises);
  await use({
    lab,
    calls,
    faults: open('faults', lab.faults),
    social: open('social', lab.social),
    clock: open('clock', createTestClock({ lab, pages: () => pagesAt(url, { browser, context: own }) })),
    consent: open('consent', createConsent(gadget, lab)),
    network: open('network', createNetwork(gadget)),
    site: open('site', createSite(gadget, lab)),
    async open(persona) {
      const context = await browser.newContext(contextOptions);
      const page = await context.newPage();
      const owned = createGadget({ page, site, startedAtMs, scenario: { ...scenario, persona }, testInfo });
      opened.push({ context, owned });
      return owned.gadget;
    },
  });
  const problems: (Error | undefined)[] = [];
  for (const [index, { context, owned }] of opened.entries()) {
    problems.push(await endGadget(owned, site.promises, `-${index + 2}`, testInfo));
    await context.close();
  }
  const problem = problems.find((one) => one !== undefined);
  if (problem) throw problem;
}

/**
 * Ends a gadget: checks a replay that the test did not finish, and errors that nothing caught, and
 * attaches a failure.
 *
 * @param suffix Distinguishes several gadgets of one test: `-2`.
 * @returns Error that the test must fail with.
 */
async function endGadget(
  owned: OwnedGadget,
  promises: SiteOfTest['promises'],
  suffix: string,
  testInfo: TestInfo,
): Promise<Error | undefined> {
  const replayed = await owned.replays.end().then(
    () => undefined,
    (error: Error) => error,
  );
  const isPassing = testInfo.status === testInfo.expectedStatus; // a failed test may have ended during a wait
  const problem = replayed ?? (isPassing ? await promises.end() : undefined) ?? (await owned.uncaught());
  const isFailed = problem !== undefined || testInfo.status !== testInfo.expectedStatus;
  if (isFailed && testInfo.status !== 'skipped') await attachFailure(owned, suffix, testInfo);
  owned.close();
  return problem;
}
