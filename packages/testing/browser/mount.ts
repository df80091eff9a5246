import type { Tape } from '@gantry/lab/tape';
import { createKitPage } from '@gantry/testing/kit-page';
import { appearanceOf, differenceOf, type KitPage } from '@gantry/testing/kit-protocol';
import { onTestFinished, TestRunner } from 'vitest';
import { createBrowserGadget } from './browser-gadget.ts';
import { openTestSite, type TestSite } from './test-site.ts';
import type { BrowserGadget, BrowserMountOptions, BrowserReplay } from './types.ts';

interface OpenPage {
  readonly root: HTMLElement;
  readonly kit: KitPage;
}

const usualTimeout = 10_000;
const openTest = createTests();

/**
 * Shows an app in Vitest's page, on a site of the test's own, and resolves when it is ready or asks
 * for consent. Another mount in the same test replaces the gadget. The end of the test takes it
 * away.
 *
 * @example
 * // in packages/testing/test/browser/tally-test.ts
 * const gadget = await mount('tally', { persona: 'mate' });
 * await gadget.settled();
 * expect(await gadget.text(gadget.frame.getByRole('heading'))).toBe('Tally of Olu');
 * @param app Id. Default: the only app under test.
 * @throws Error that lists the apps there are, or says why this one cannot be shown.
 */
export async function mount(app?: string, options: BrowserMountOptions = {}): Promise<BrowserGadget> {
  const { state, ...scenario } = options;
  return createBrowserGadget(await openTest(scenario), { app, scenario: withoutSite(scenario), state });
}

/**
 * Shows an app against a tape instead of a site.
 *
 * @example
 * // in packages/testing/test/browser/tally-test.ts
 * const same = await replay(tape);
 * await same.gadget.text(same.gadget.frame.getByText('0 counted'));
 * await same.gadget.frame.getByRole('button', { name: 'Count' }).click();
 * await same.gadget.text(same.gadget.frame.getByText('1 counted'));
 * await same.finished();
 * @param tape Path, relative to the test's file, or a tape.
 * @throws Error for a file that is no tape.
 */
export async function replay(
  tape: string | Tape,
  options: { readonly app?: string; readonly state?: unknown } = {},
): Promise<BrowserReplay> {
  const test = await openTest({});
  const { site, kit } = test;
  const read = typeof tape === 'string' ? ((await site.ask({ ask: 'tape', path: tape })) as Tape) : tape;
  const { head } = read;
  const { app = head.app, state } = options;
  await site.ask({ ask: 'stop', at: head.startMs });
  const gadget = await createBrowserGadget(test, {
    ...{ app, state, tape: { ...read, head: { ...head, app } } },
    scenario: appearanceOf(head.scenario),
  });
  return {
    gadget,
    async finished({ timeout = usualTimeout } = {}) {
      const report = await kit.replayed(timeout);
      if (!report.isFinished) throw new Error(differenceOf(report));
    },
  };
}

/** Returns a function that opens page and site of the running test, each once. */
function createTests(): (options: BrowserMountOptions) => Promise<OpenPage & { readonly site: TestSite }> {
  const sites = new WeakMap<object, Promise<TestSite>>();
  let page: OpenPage | undefined;

  function openPage(): OpenPage {
    const root = page?.root ?? document.createElement('div');
    page ??= { root, kit: createKitPage(root) };
    if (!root.isConnected) document.body.append(root);
    return page;
  }

  return async ({ world, seed, ...scenario }) => {
    const test = TestRunner.getCurrentTest();
    if (!test) throw new Error('A gadget is mounted in a test: call mount() in one.');
    let opening = sites.get(test);
    if (!opening) {
      opening = openTestSite({ ...(world !== undefined && { world }), ...(seed !== undefined && { seed }), scenario });
      sites.set(test, opening);
      onTestFinished(async () => {
        await page?.kit.unmount();
        await opening?.then((site) => site.ask({ ask: 'close' })).catch(() => undefined); // a site that did not open has failed the test
      });
    }
    return { ...openPage(), site: await opening };
  };
}

function withoutSite({ world, seed, ...scenario }: BrowserMountOptions): BrowserMountOptions {
  return scenario;
}
