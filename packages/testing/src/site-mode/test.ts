import { test as base, type Page, type TestInfo } from '@playwright/test';
import { attachFailure } from '../failure/attach-failure.ts';
import { nameForgottenAwait } from '../forgotten-await.ts';
import { expect } from '../matchers/index.ts';
import { notOnASite, siteFeatures } from '../site-features.ts';
import { askPage } from '../waits.ts';
import { memberNamed, signIn } from './sign-in.ts';
import { createSiteGadget } from './site-gadget.ts';
import { recordPage } from './site-record.ts';
import type { SiteGadget, SiteOptions } from './site-types.ts';

/** The surroundings of a gadget on a running site. */
export interface SiteGantry {
  /** Opens a browser for another one of the option `members`. */
  open(member: string): Promise<SiteGadget>;
  /** Takes the browser off the network, or back with `false`. */
  setOffline(isOffline?: boolean): Promise<void>;
  /** Throws: it needs a site of the test's own. So do those after it. */
  readonly lab: never;
  readonly calls: never;
  readonly clock: never;
  readonly consent: never;
  readonly faults: never;
  readonly network: never;
  readonly site: never;
  readonly social: never;
}

/** Fixtures of one test against a running site. */
export interface SiteFixtures {
  /** A gadget on a page of the site, as the option `member` sees it. */
  gadget: SiteGadget;
  gantry: SiteGantry;
}

const recordLimitMs = 1_000;
const absentFeatures = siteFeatures.filter(({ name, works }) => name.startsWith('gantry.') && works === 'no');

interface OwnFixtures {
  /** Address of the site. */
  gantrySiteUrl: string;
}

/**
 * Playwright's `test` with gadgets on the pages of a site that runs. It needs no app.
 *
 * @example
 * import { expect, test } from '@gantry/testing/site';
 *
 * test.use({ runningSite: 'http://localhost:4400', members: { ada: { id: 'ada', password: 'open sesame' } }, member: 'ada' });
 *
 * test('shows my friends', async ({ gadget }) => {
 *   await gadget.find('friends', { page: '/' });
 *   await expect(gadget.frame.getByRole('listitem').first()).toBeVisible();
 * });
 */
export const test = base.extend<SiteOptions & SiteFixtures & OwnFixtures>({
  runningSite: [undefined, { option: true }],
  members: [{}, { option: true }],
  member: [undefined, { option: true }],
  baseURL: async ({ baseURL, runningSite }, use) => use(runningSite ?? baseURL),
  gantrySiteUrl: [
    async ({ runningSite, baseURL }, use, testInfo) => {
      const url = runningSite ?? baseURL;
      if (url === undefined || !/^https?:\/\/[^/]/.test(url))
        throw new Error('Name the site: test.use({ runningSite: "https://social.example" }).');
      await use(url);
      await nameForgottenAwait(testInfo);
    },
    { box: true },
  ],
  gadget: async ({ page, gantrySiteUrl, member, members }, use, testInfo) => {
    const gadget = await gadgetOf(page, gantrySiteUrl);
    if (member !== undefined)
      await signIn(page.context(), { member: memberNamed(member, members), site: gantrySiteUrl });
    await use(gadget);
    await showFailure(gadget, '', testInfo);
  },
  gantry: async ({ browser, context: own, gantrySiteUrl, members, contextOptions }, use, testInfo) => {
    const opened: SiteGadget[] = [];
    const gantry = {
      async open(name: string) {
        const member = memberNamed(name, members);
        const context = await browser.newContext(contextOptions);
        const gadget = await gadgetOf(await context.newPage(), gantrySiteUrl);
        opened.push(gadget);
        await signIn(context, { member, site: gantrySiteUrl });
        return gadget;
      },
      setOffline: (isOffline = true) => own.setOffline(isOffline),
    };
    for (const { name } of absentFeatures) {
      const get = (): never => {
        throw notOnASite(name);
      };
      Object.defineProperty(gantry, name.slice('gantry.'.length), { get });
    }
    await use(gantry as SiteGantry);
    for (const [index, gadget] of opened.entries()) {
      await showFailure(gadget, `-${index + 2}`, testInfo);
      await gadget.page.context().close();
    }
  },
});
export { expect };

async function gadgetOf(page: Page, site: string): Promise<SiteGadget> {
  return createSiteGadget({ page, site, record: await recordPage(page) });
}

async function showFailure(gadget: SiteGadget, suffix: string, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus || testInfo.status === 'skipped') return;
  const recorded = async (): Promise<void> => {
    if (gadget.page.isClosed()) return;
    const ask = (): Promise<unknown> => gadget.context(); // all messages are in the record
    await askPage('the record', ask, recordLimitMs).catch(() => undefined);
  };
  return attachFailure({ host: 'site', gadget, mounted: { scenario: {} }, recorded }, suffix, testInfo);
}
