import type { Page, TestInfo } from '@playwright/test';
import { endGadget } from './end-gadget.ts';
import { createGadget } from './gadget.ts';
import type { SiteOfTest } from './site-of-test.ts';
import type { Gadget, GantryOptions } from './types.ts';

/** The gadget in the page of a test. */
export async function gadgetFixture(
  {
    siteOfTest: site,
    page,
    scenario,
  }: Pick<GantryOptions, 'scenario'> & { readonly siteOfTest: SiteOfTest; readonly page: Page },
  use: (gadget: Gadget) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const owned = createGadget({ page, site, scenario, testInfo });
  await use(owned.gadget);
  const problem = await endGadget(owned, '', testInfo);
  if (problem) throw problem;
}
