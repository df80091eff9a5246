import type { Fixtures } from '@playwright/test';
import type { Gantry, GantryFixtures } from './types.ts';

/**
 * Short names for the parts of `gantry`, all of them or those that you take:
 * `test.extend({ clock: shortFixtures.clock })`.
 *
 * @example
 * import { shortFixtures, test as base } from '@gantry/testing';
 *
 * const test = base.extend<Gantry>(shortFixtures);
 * test('reminds', async ({ gadget, clock }) => {
 *   await gadget.mount();
 *   await clock.jump('30 s');
 * });
 */
export const shortFixtures: Fixtures<Gantry, object, GantryFixtures> = {
  calls: ({ gantry }, use) => use(gantry.calls),
  clock: ({ gantry }, use) => use(gantry.clock),
  consent: ({ gantry }, use) => use(gantry.consent),
  faults: ({ gantry }, use) => use(gantry.faults),
  lab: ({ gantry }, use) => use(gantry.lab),
  network: ({ gantry }, use) => use(gantry.network),
  open: ({ gantry }, use) => use(gantry.open),
  site: ({ gantry }, use) => use(gantry.site),
  social: ({ gantry }, use) => use(gantry.social),
};
