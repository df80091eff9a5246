import { createKitPage } from '@gantry/testing/kit-page';
import type { KitPage } from '@gantry/testing/kit-protocol';
import { onTestFinished, TestRunner } from 'vitest';
import { createBrowserGadget } from './browser-gadget.ts';
import { openTestSite, type TestSite } from './test-site.ts';
import type { BrowserGadget, BrowserMountOptions } from './types.ts';

/**
 * Shows an app in Vitest's page, on a site of the test's own, and resolves when it is ready or asks for consent. Another mount
 * in the same test replaces the gadget. The end of the test takes it away.
 *
 * @example
 * test('greets the member', async () => {
 *   const gadget = await mount('notes', { persona: 'm-2' });
 *   expect(await gadget.text(gadget.frame.getByRole('heading'))).toBe('Hello Bo');
 * });
 * @param app Id. Default: the only app under test.
 * @throws Error that lists the apps there are, or says why this one cannot be shown.
 */
export const mount = createMount();

function createMount(): (app?: string, options?: BrowserMountOptions) => Promise<BrowserGadget> {
  const sites = new WeakMap<object, Promise<TestSite>>();
  let page: { readonly root: HTMLElement; readonly kit: KitPage } | undefined;

  function openPage(): { readonly root: HTMLElement; readonly kit: KitPage } {
    const root = page?.root ?? document.createElement('div');
    page ??= { root, kit: createKitPage(root) };
    if (!root.isConnected) document.body.append(root);
    return page;
  }

  return async (app, options = {}) => {
    const test = TestRunner.getCurrentTest();
    if (!test) throw new Error('A gadget is mounted in a test: call mount() in one.');
    const { state, seed, world, ...scenario } = options;
    let opening = sites.get(test);
    if (!opening) {
      opening = openTestSite({ ...(world !== undefined && { world }), ...(seed !== undefined && { seed }), scenario });
      sites.set(test, opening);
      onTestFinished(async () => {
        await page?.kit.unmount();
        await opening?.then((site) => site.ask({ ask: 'close' })).catch(() => undefined); // it could not open: the test said so
      });
    }
    const site = await opening;
    return createBrowserGadget({ ...openPage(), site }, { app, scenario, state });
  };
}
