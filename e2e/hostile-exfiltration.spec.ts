import type { Frame, Page } from '@playwright/test';
import { expect, test as hostedTest, inEachMode } from './hosted.ts';
import { exfiltrator, leavingWays, quietWays } from './hostile/exfiltrator.ts';
import { type Listeners, openListeners } from './hostile/listeners.ts';
import { fragment, openPlainSite, type PlainSite } from './hostile/plain-site.ts';

// An app that tries to leak data by every means of browsers. Listeners must receive nothing.

const test = hostedTest.extend<object, { readonly listeners: Listeners; readonly plain: PlainSite }>({
  listeners: [
    async ({ browserName: _ }, use) => {
      const listeners = await openListeners();
      await use(listeners);
      await listeners.close();
    },
    { scope: 'worker' },
  ],
  apps: ({ listeners }, use) => use({ spy: exfiltrator(listeners) }),
  /** The same documents without a guard. */
  plain: [
    async ({ listeners }, use) => {
      const site = await openPlainSite(exfiltrator(listeners));
      await use(site);
      site.close();
    },
    { scope: 'worker' },
  ],
});
const listen = '<script>heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>';
const heard = (page: Page) => page.evaluate<string[]>('heard');

/** Sends a request from the page and waits for it: earlier requests have arrived by then. */
async function reachedBy(page: Page, { origin, reached }: Listeners): Promise<string[]> {
  await page.evaluate((address) => fetch(address).then((response) => response.text()), `${origin}/control`);
  return reached();
}

test.beforeEach(({ listeners }) => listeners.forget());

inEachMode(() => {
  test('an app that stays in its frame reaches no server (security rule 5)', async ({ show, page, listeners }) => {
    await show(`${listen}<gantry-gadget app="spy"></gantry-gadget>`);
    await expect.poll(() => heard(page)).toEqual(['tried']);
    expect(await reachedBy(page, listeners)).toEqual(['/control']);
  });

  test('an app that navigates its frame away reaches no other server (security rule 5)', async ({
    show,
    page,
    listeners,
  }) => {
    const left = collectErrorPages(page);
    const gadgets = Object.keys(leavingWays).map(
      (way) => `<gantry-gadget app="spy" view="home.${way}"></gantry-gadget>`,
    );
    await show(listen + gadgets.join(''));
    const outcomes = async () => [...new Set([...(await heard(page)), ...left])].sort();
    const expected = Object.entries(leavingWays).flatMap(([way, end]) => [`${way} tries`, `${way} ${end}`]);
    await expect.poll(outcomes).toEqual(expected.sort());
    expect(await reachedBy(page, listeners)).toEqual(['/control']);
  });
});

test('positive control: a plain frame sends all of it', async ({ page, plain, listeners }) => {
  await page.goto(plain.origin);
  await page.setContent(`${listen}<iframe src="/index.html${fragment(plain.origin)}"></iframe>`);
  await expect.poll(() => heard(page)).toEqual(['tried']);
  await expect.poll(() => reachedBy(page, listeners)).toEqual(expect.arrayContaining([...quietWays]));
});

test('positive control: a plain frame can be navigated to any server', async ({ context, plain, listeners }) => {
  for (const way of Object.keys(leavingWays)) {
    const page = await context.newPage(); // some attacks navigate it
    await page.goto(plain.pageWith(`${way}.html`));
    await expect.poll(() => listeners.reached()).toContain(`/${way}`);
  }
});

/**
 * Returns the way of each document that was replaced by the browser's error page, as `WAY left`.
 */
function collectErrorPages(page: Page): ReadonlySet<string> {
  const ways = new Map<Frame, string>();
  const left = new Set<string>();
  page.on('framenavigated', (frame) => {
    const way = /\/([\w-]+)\.html/.exec(frame.url())?.[1];
    if (way) ways.set(frame, way);
    if (frame.url().startsWith('chrome-error:')) left.add(`${ways.get(frame)} left`);
  });
  return left;
}
