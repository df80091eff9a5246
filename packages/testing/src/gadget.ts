import { type Entry, type Lab, nobody, type Scenario } from '@gantry/lab';
import { expect, type Page } from '@playwright/test';
import type { KitPage } from './kit-protocol.ts';
import { callsOf, eventsOf, logsOf, refusalsOf } from './record-view.ts';
import { createReplays, type Replays, tapesVariable } from './replay.ts';
import type { Gadget, MountOptions } from './types.ts';

declare const gantryKit: KitPage;

/** Makes the gadget of a page, as one member sees it. */
export function createGadget(options: {
  readonly page: Page;
  readonly lab: Lab;
  readonly scenario: Scenario;
  readonly url: string;
}): { readonly gadget: Gadget; readonly replays: Replays } {
  const { page, lab, scenario: usual, url } = options;
  let app = '';
  let viewer = usual.persona ?? lab.personas[0]?.id ?? nobody;
  let shown: MountOptions = {};
  const element = page.locator('#root > div > :first-child');
  const record = (): readonly Entry[] => lab.record.entries.filter(({ place }) => place?.startsWith(`${viewer}/`));

  async function show(next: MountOptions): Promise<void> {
    const { state, ...given } = next;
    const scenario = { ...usual, ...given };
    shown = next;
    viewer = scenario.persona ?? lab.personas[0]?.id ?? nobody;
    const staged = { id: app, app, scenario, ...(state !== undefined && { state }) };
    const request = { lab: lab.name, persona: viewer, staged, clock: lab.clock.state };
    await page.evaluate((asked) => gantryKit.mount(asked), request);
  }

  async function onlyApp(): Promise<string> {
    const ids = (await lab.apps()).map(({ id }) => id);
    if (ids.length === 1) return ids[0] as string;
    throw new Error(`Name the app to mount: there are ${ids.join(', ') || 'none'}.`);
  }

  const replays = createReplays({
    ...{ page, lab, url, scenario: usual, gadget: () => gadget, isUpdate: process.env[tapesVariable] === 'update' },
    show(shownNow) {
      ({ app, viewer } = shownNow);
    },
  });
  const gadget: Gadget = {
    page,
    lab,
    element,
    frame: element.frameLocator('iframe'),
    get app() {
      return app;
    },
    get viewer() {
      return viewer;
    },
    get record() {
      return record();
    },
    get calls() {
      return callsOf(record());
    },
    get events() {
      return eventsOf(record());
    },
    get logs() {
      return logsOf(record());
    },
    get refusals() {
      return refusalsOf(record());
    },
    async mount(wanted, next = {}) {
      app = wanted ?? (await onlyApp());
      if (!page.url().startsWith(`${url}/`)) await page.goto(`${url}/`);
      await show(next);
    },
    replay: replays.begin,
    update: (next) => show({ ...shown, ...next }),
    async settled({ timeout = 10_000 } = {}) {
      await expect.poll(() => callsOf(record()).filter(({ isSettled }) => !isSettled).length, { timeout }).toBe(0);
    },
    async context() {
      const told = record().findLast((entry) => entry.kind === 'context');
      return told?.kind === 'context' ? (told.context as Readonly<Record<string, unknown>>) : undefined;
    },
    async state() {
      throw new Error('not there yet');
    },
  };
  return { gadget, replays };
}
