import { randomBytes } from 'node:crypto';
import { createClock, createLab, type Lab, type LabApp, type Scenario, seededRandom } from '@gantry/lab';
import { createLabDocuments, readAgent } from '@gantry/lab/host';
import type { AppUnderTest } from './apps.ts';
import { createOpenPromises } from './open-promises.ts';
import type { WorldOfTest } from './types.ts';
import { createUncaughtErrors } from './uncaught-errors.ts';
import { seededStartMs, type Worlds } from './worlds.ts';

/** The site of one test, as its gadgets need it. */
export interface SiteOfTest {
  readonly lab: Lab;
  readonly apps: readonly LabApp[];
  /** Origin, without a slash at its end. */
  readonly url: string;
  readonly seed: string | undefined;
  readonly errors: ReturnType<typeof createUncaughtErrors>;
  readonly promises: ReturnType<typeof createOpenPromises>;
  /** Applies a scenario to the lab and to later frames. */
  apply(scenario: Scenario): Promise<void>;
  close(): Promise<void>;
}

/** Members of a scenario that the lab enforces, with the values of a usual site. */
const usual = { permissions: 'all', network: 'fast', api: '1.2', albums: true } as const satisfies Scenario;
const names = ['permissions', 'network', 'api', 'albums', 'interval'] as const;

/** Makes the site of one test. @throws Error in one line for a wrong app, world or scenario. */
export async function openSite(
  { url, worlds }: { readonly url: string; readonly worlds: Worlds },
  options: {
    readonly apps: readonly AppUnderTest[];
    readonly world: WorldOfTest;
    readonly scenario: Scenario;
    readonly seed: string | undefined;
    readonly expectedErrors?: readonly (string | RegExp)[];
  },
): Promise<SiteOfTest> {
  const { apps, world, scenario, seed, expectedErrors = [] } = options;
  const random = seed === undefined ? undefined : seededRandom(seed);
  const bytes = random ?? randomBytes;
  const name = Buffer.from(bytes(6)).toString('hex');
  const clock = createClock(seed === undefined ? {} : { startMs: seededStartMs });
  if (seed !== undefined) clock.stop(seededStartMs);
  let { timeZone } = scenario;
  const documents = createLabDocuments({
    run: Buffer.from(bytes(9)).toString('base64url'),
    agent: readAgent(),
    filesOf: (id) => apps.find(({ app }) => app.id === id)?.files,
    settingsOf: (app) => ({ origin: url, app, clock: clock.state, ...(timeZone !== undefined && { timeZone }) }),
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
    lab,
    url,
    seed,
    apps: registered,
    errors: createUncaughtErrors(expectedErrors),
    promises: createOpenPromises(),
    async apply(next) {
      timeZone = next.timeZone;
      await applyToLab(next);
    },
    async close() {
      clock.close(); // before the site, which delayed calls would block
      await lab.close();
    },
  };
}

/**
 * Applies scenarios of mounts to the lab of a test: only members that changed since the last mount,
 * so that faults set by the test stay. @param applied Scenario that the lab was made with.
 */
function createLabScenario(
  lab: Pick<Lab, 'apply' | 'clock'>,
  applied: Scenario,
): (scenario: Scenario) => Promise<void> {
  let before = applied;
  return async (next) => {
    const changed = names.filter((name) => next[name] !== before[name]);
    const members = changed.map((name) => [name, next[name] ?? (usual as Scenario)[name]] as const);
    const { persona, owner } = next;
    const aheadMs = Math.round(((next.clock ?? 0) - (before.clock ?? 0)) * 1_000);
    before = next;
    if (aheadMs > 0) lab.clock.jump(aheadMs); // a clock cannot go back
    await lab.apply({
      ...(persona !== undefined && { persona }),
      ...(owner !== undefined && { owner }),
      ...(Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Scenario),
    });
  };
}
