import type { Entry, Scenario } from '@gantry/lab';
import type { Tape } from '@gantry/lab/tape';
import type { KitPage, Missing } from '@gantry/testing/kit-protocol';
import { type RecordView, withRecordView } from '@gantry/testing/record-view';
import { type Locator, page } from 'vitest/browser';
import { createControls } from './controls.ts';
import type { TestSite } from './test-site.ts';
import type { BrowserGadget } from './types.ts';

const mountLimitMs = 15_000; // longer than the 10 seconds in which a page expects the hello of an app
const settledLimitMs = 10_000;
const lookLimitMs = 5_000;

/** Mounts an app. @throws Error that says why it cannot be shown. */
export async function createBrowserGadget(
  { root, kit, site }: { readonly root: HTMLElement; readonly kit: KitPage; readonly site: TestSite },
  wanted: {
    readonly app: string | undefined;
    readonly scenario: Scenario;
    readonly state: unknown;
    /** Replays instead of a site. */
    readonly tape?: Tape;
  },
): Promise<BrowserGadget> {
  const { opened } = site;
  const app = requireApp(wanted.app, opened.apps);
  const scenario = { ...opened.scenario, ...wanted.scenario };
  const viewer = scenario.persona ?? opened.personas[0] ?? opened.nobody;
  await kit.unmount();
  await site.ask({ ask: 'apply', scenario });
  const firstNumber = site.entries.at(-1)?.number ?? 0;

  const concerns = (entry: Entry): boolean =>
    entry.place === undefined ? [undefined, app].includes(entry.app) : entry.place.startsWith(`${viewer}/`);
  function latest(): readonly Entry[] {
    site.refresh();
    return site.entries.filter((entry) => entry.number > firstNumber && concerns(entry));
  }
  async function readied(what: string, asked: Promise<Missing>, limitMs: number): Promise<void> {
    const { missing } = await asked;
    await kit.recorded();
    await site.ask({ ask: 'entries' });
    if (missing.length > 0) throw new Error(`Waited ${limitMs} ms for ${what}: ${missing.join('; ')}.`);
  }
  async function look(locator: Locator, state: 'visible' | 'hidden', limitMs = lookLimitMs): Promise<unknown> {
    return site.ask({ ask: 'look', selector: locator.selector, state, limitMs });
  }

  const { lab } = opened;
  const staged = { id: app, app, scenario, ...(wanted.state !== undefined && { state: wanted.state }) };
  const seed = opened.seed === undefined ? {} : { seed: opened.seed };
  const { tape } = wanted;
  const mounting = tape
    ? kit.replay({ lab, staged, tape }).then((): Missing => ({ missing: [] }))
    : kit.mount({ ...{ lab, persona: viewer, staged, clock: site.clock }, ...seed }, mountLimitMs);
  await readied(`${app} to be ready`, mounting, mountLimitMs);

  const parts: Omit<BrowserGadget, keyof RecordView> = {
    ...{ app, viewer },
    ...createControls(site, kit),
    get element() {
      return elementIn(root);
    },
    get frame() {
      const iframe = elementIn(root).shadowRoot?.querySelector('iframe');
      if (!iframe) throw new Error(`${app} has no document: it is not ready.`);
      return page.frameLocator(page.elementLocator(iframe));
    },
    text: async (locator, { timeout } = {}) => String(await look(locator, 'visible', timeout)),
    async gone(locator, { timeout } = {}) {
      await look(locator, 'hidden', timeout);
    },
    settled: ({ timeout = settledLimitMs } = {}) => readied(`${app} to settle`, kit.settled(timeout), timeout),
    reload: () => readied(`${app} to be ready again`, kit.reload(mountLimitMs), mountLimitMs),
    unmount: () => kit.unmount(),
    async offline(work) {
      kit.setOnline(false);
      try {
        return await work();
      } finally {
        kit.setOnline(true);
      }
    },
  };
  return withRecordView(parts, latest);
}

function elementIn(root: HTMLElement): HTMLElement {
  const element = root.querySelector<HTMLElement>(':scope > div > :first-child');
  if (!element) throw new Error('No gadget is mounted.');
  return element;
}

function requireApp(wanted: string | undefined, apps: readonly string[]): string {
  const [only, ...others] = apps;
  if (wanted === undefined && only !== undefined && others.length === 0) return only;
  if (wanted !== undefined && apps.includes(wanted)) return wanted;
  const known = `there are ${apps.join(', ') || 'none'}.`;
  throw new Error(
    wanted === undefined ? `Name the app to mount: ${known}` : `There is no app ${wanted} under test: ${known}`,
  );
}
