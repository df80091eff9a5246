import type { Browser, BrowserContext, BrowserContextOptions, TestInfo } from '@playwright/test';
import { endGadget } from './end-gadget.ts';
import { createGadget, type OwnedGadget } from './gadget.ts';
import type { SiteOfTest } from './site-of-test.ts';
import type { GantryFixtures, GantryOptions } from './types.ts';

/** Opens other members' browsers: a context each, on the site of the test. */
export async function openFixture(
  {
    siteOfTest: site,
    browserReady: _checked,
    browser,
    scenario,
    contextOptions,
  }: Pick<GantryOptions, 'scenario'> & {
    readonly siteOfTest: SiteOfTest;
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
