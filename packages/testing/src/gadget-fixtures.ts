import type { Browser, BrowserContext, BrowserContextOptions, Page, TestInfo } from '@playwright/test';
import { attachFailure } from './failure/attach-failure.ts';
import { createGadget, type OwnedGadget } from './gadget.ts';
import type { SiteOfTest } from './open-site.ts';
import type { GantryFixtures, GantryOptions } from './types.ts';

type Site = Pick<GantryOptions, 'scenario'> & { readonly siteOfTest: SiteOfTest };

/** The gadget in the page of a test. */
export async function gadgetFixture(
  { siteOfTest: site, page, scenario }: Site & { readonly page: Page },
  use: (gadget: GantryFixtures['gadget']) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const owned = createGadget({ page, site, scenario, testInfo });
  await use(owned.gadget);
  const problem = await endGadget(owned, '', testInfo);
  if (problem) throw problem;
}

/** Opens other members' browsers: a context each, on the site of the test. */
export async function openFixture(
  {
    siteOfTest: site,
    browserReady: _checked,
    browser,
    scenario,
    contextOptions,
  }: Site & {
    readonly browserReady: undefined;
    readonly browser: Browser;
    readonly contextOptions: BrowserContextOptions;
  },
  use: (open: GantryFixtures['open']) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const opened: { readonly context: BrowserContext; readonly owned: OwnedGadget }[] = [];
  await use(async (persona) => {
    const context = await browser.newContext(contextOptions);
    const page = await context.newPage();
    const owned = createGadget({ page, site, scenario: { ...scenario, persona }, testInfo });
    opened.push({ context, owned });
    return owned.gadget;
  });
  const problems: (Error | undefined)[] = [];
  for (const [index, { context, owned }] of opened.entries()) {
    problems.push(await endGadget(owned, `-${index + 2}`, testInfo));
    await context.close();
  }
  const problem = problems.find((one) => one !== undefined);
  if (problem) throw problem;
}

/**
 * Ends a gadget: checks a replay that the test did not finish, and attaches a failure.
 *
 * @param suffix Distinguishes several gadgets of one test: `-2`.
 * @returns Error of a replay that differed from its tape.
 */
async function endGadget(owned: OwnedGadget, suffix: string, testInfo: TestInfo): Promise<Error | undefined> {
  const problem = await owned.replays.end().then(
    () => undefined,
    (error: Error) => error,
  );
  const isFailed = problem !== undefined || testInfo.status !== testInfo.expectedStatus;
  if (isFailed && testInfo.status !== 'skipped') await attachFailure(owned, suffix, testInfo);
  owned.close();
  return problem;
}
