import { randomBytes } from 'node:crypto';
import { createClock, createLab, type Lab, type Scenario, seededRandom } from '@gantry/lab';
import { type AppUnderTest, createAppDocuments } from './apps.ts';
import { createLabScenario } from './lab-scenario.ts';
import { seededStartMs } from './seeded-start.ts';
import type { SiteOfTest } from './site-of-test.ts';
import type { WorldOfTest } from './types.ts';
import type { Worlds } from './worlds.ts';

/**
 * Makes the site of one test.
 *
 * @throws Error in one line for an app, a world or a scenario that cannot be used.
 */
export async function openSite(
  { url, worlds }: { readonly url: string; readonly worlds: Worlds },
  options: {
    readonly apps: readonly AppUnderTest[];
    readonly world: WorldOfTest;
    readonly scenario: Scenario;
    readonly seed: string | undefined;
  },
): Promise<SiteOfTest> {
  const { apps, world, scenario, seed } = options;
  const random = seed === undefined ? undefined : seededRandom(seed);
  const bytes = random ?? randomBytes;
  const name = Buffer.from(bytes(6)).toString('hex');
  const clock = createClock(seed === undefined ? {} : { startMs: seededStartMs });
  if (seed !== undefined) clock.stop(seededStartMs);
  let { timeZone } = scenario;
  const documents = createAppDocuments(apps, {
    run: Buffer.from(bytes(9)).toString('base64url'),
    url,
    frame: () => ({ clock: clock.state, timeZone }),
  }).forLab(name);
  const registered = apps.map(({ app }) => app);

  let lab: Lab;
  try {
    lab = await worlds.with(typeof world === 'object' && 'make' in world ? world.make : world, {
      apps: registered.map(({ id }) => id),
      seed,
      make: (prepared) =>
        createLab({ name, url, apps: registered, world: prepared, scenario, clock, documents, random }),
    });
  } catch (error) {
    clock.close();
    throw error;
  }
  const applyToLab = createLabScenario(lab, scenario);
  return {
    ...{ lab, url, seed, apps: registered },
    async apply(next) {
      timeZone = next.timeZone;
      await applyToLab(next);
    },
    async close() {
      clock.close(); // first: delayed calls would block the site
      await lab.close();
    },
  };
}
