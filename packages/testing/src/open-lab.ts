import { randomBytes } from 'node:crypto';
import { createClock, createLab, type Lab, type Scenario, type World, type WorldSource } from '@gantry/lab';
import type { PreparedWorlds } from '@gantry/lab/host';
import { type AppUnderTest, createAppDocuments } from './apps.ts';

/**
 * Makes the site of one test.
 *
 * @throws Error in one line for an app, a world or a scenario that cannot be used.
 */
export async function openLab(
  { url, worlds }: { readonly url: string; readonly worlds: PreparedWorlds },
  options: {
    readonly apps: readonly AppUnderTest[];
    readonly world: WorldSource | World;
    readonly scenario: Scenario;
  },
): Promise<Lab> {
  const { apps, world, scenario } = options;
  const name = randomBytes(6).toString('hex');
  const clock = createClock();
  const documents = createAppDocuments(apps, { url, clock }).forLab(name);
  const registrations = apps.map(({ app }) => app);
  const make = (prepared: Parameters<typeof createLab>[0]['world']) =>
    createLab({ name, url, apps: registrations, world: prepared, scenario, clock, documents });
  const lab =
    typeof world === 'object'
      ? await make(world)
      : await worlds.with(world, { apps: registrations.map(({ id }) => id), make });
  return {
    ...lab,
    async close() {
      clock.close(); // first: calls that a fault delays would hold up the site
      await lab.close();
    },
  };
}
