import { dirname } from 'node:path';
import { createPreparedWorlds, type PreparedWorlds } from '@gantry/lab/host';
import { test as base, expect } from '@playwright/test';
import { findApps } from './apps.ts';
import { createTestClock, pagesAt } from './clock.ts';
import { createGadget } from './gadget.ts';
import { type KitServer, startKitServer } from './kit-server.ts';
import { openLab } from './open-lab.ts';
import type { GantryFixtures, GantryOptions } from './types.ts';

interface Kit {
  readonly server: KitServer;
  readonly worlds: PreparedWorlds;
}

/**
 * Playwright's `test` with a site for each test and the gadget under test.
 *
 * @example
 * import { expect, test } from '@gantry/testing';
 *
 * test('greets the member', async ({ gadget }) => {
 *   await gadget.mount();
 *   await expect(gadget.frame.getByText('Hello Ann')).toBeVisible();
 * });
 */
export const test = base.extend<GantryOptions & GantryFixtures, { kit: Kit }>({
  apps: [['.'], { option: true }],
  world: ['pleasant', { option: true }],
  scenario: [{}, { option: true }],
  kit: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}, use) => {
      const server = await startKitServer();
      const worlds = createPreparedWorlds();
      await use({ server, worlds });
      await server.close();
      await worlds.close();
    },
    { scope: 'worker' },
  ],
  lab: async ({ kit, apps, world, scenario }, use, testInfo) => {
    const { configFile, rootDir } = testInfo.config;
    const folder = configFile ? dirname(configFile) : rootDir;
    const found = await findApps(apps, folder);
    const lab = await openLab({ url: kit.server.url, worlds: kit.worlds }, { apps: found, world, scenario });
    const remove = kit.server.add(lab);
    await use(lab);
    const problems = lab.calls.end();
    remove();
    await lab.close();
    if (problems.length > 0) throw problems.length === 1 ? problems[0] : new AggregateError(problems, listed(problems));
  },
  gadget: async ({ page, lab, scenario, kit }, use) => {
    const { gadget, replays } = createGadget({ page, lab, scenario, url: kit.server.url });
    await use(gadget);
    await replays.end();
  },
  open: async ({ browser, lab, scenario, kit, contextOptions }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (persona) => {
      const context = await browser.newContext(contextOptions);
      contexts.push(context);
      const page = await context.newPage();
      return createGadget({ page, lab, scenario: { ...scenario, persona }, url: kit.server.url }).gadget;
    });
    for (const context of contexts) await context.close();
  },
  clock: ({ lab, kit, browser, context }, use) =>
    use(createTestClock({ lab, pages: () => pagesAt(kit.server.url, { browser, context }) })),
  faults: ({ lab }, use) => use(lab.faults),
  calls: ({ lab }, use) => use(lab.calls),
});

function listed(errors: readonly Error[]): string {
  return errors.map(({ message }) => message).join('\n');
}

export { expect };
