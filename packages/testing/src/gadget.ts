import { type Entry, type Lab, type LabApp, nobody, type Scenario } from '@gantry/lab';
import { scenarioProblem } from '@gantry/lab/scenario';
import type { Page, TestInfo } from '@playwright/test';
import { explainEntries, explanationText } from './explain-app.ts';
import type { EndedGadget } from './failure/attach-failure.ts';
import type { KitPage, Missing, MountRequest } from './kit-protocol.ts';
import { joinOpenPromises } from './open-promises.ts';
import type { SiteOfTest } from './open-site.ts';
import { contextIn, stateIn, withRecordView } from './record-view.ts';
import { createReplays, type Replays, tapesVariable } from './replay.ts';
import { createReportSteps } from './report-steps.ts';
import type { Gadget, MountOptions, RecordView } from './types.ts';
import { askPage, requireNothing } from './waits.ts';

declare const gantryKit: KitPage;

const mountLimitMs = 15_000; // longer than the 10 seconds in which a page expects the hello of an app
const settledLimitMs = 10_000;
const graceMs = 1_000;

/** A gadget under test, with the functions that end it. */
export interface OwnedGadget extends EndedGadget {
  readonly gadget: Gadget;
  readonly replays: Replays;
  /** Resolves with an error for uncaught ones of the app that the test did not expect. */
  uncaught(): Promise<Error | undefined>;
  /** Ends the steps of the report. */
  close(): void;
}

/** Makes the gadget of a page, as one member sees it. */
export function createGadget(options: {
  readonly page: Page;
  readonly site: SiteOfTest;
  /** Time of `performance.now()` when the test's own time began. */
  readonly startedAtMs: number;
  readonly scenario: Scenario;
  readonly testInfo: Pick<TestInfo, 'file' | 'line' | 'column'>;
}): OwnedGadget {
  const { page, site, startedAtMs, scenario: usual, testInfo } = options;
  const { lab, url } = site;
  let app = '';
  let shown: MountOptions = {};
  let scenario = usual;
  const firstNumber = lab.record.entries.at(-1)?.number ?? 0;
  let sinceNumber = firstNumber;
  let viewer = viewerOf(usual, lab);
  const element = page.locator('#root > div > :first-child');
  const steps = createReportSteps(testInfo);
  function concerns(entry: Entry): boolean {
    if (entry.place !== undefined) return entry.place.startsWith(`${viewer}/`);
    // Entries of proxy and site have no place, but app and viewer.
    const isOfMember = !('viewer' in entry) || entry.viewer === undefined || entry.viewer === viewer;
    return isOfMember && [undefined, app].includes(entry.app);
  }
  const record = (): readonly Entry[] =>
    app === '' ? [] : lab.record.entries.filter((entry) => entry.number > firstNumber && concerns(entry));
  const latest = (): readonly Entry[] => record().filter(({ number }) => number > sinceNumber);
  const forget = lab.record.subscribe((entry) => {
    if (entry.place !== undefined && concerns(entry)) steps.add(entry);
  });

  async function show(next: MountOptions, id: string, isUpdate: boolean): Promise<void> {
    const { state, ...changes } = next;
    const nextScenario = { ...usual, ...changes };
    const problem = 'world' in nextScenario ? 'its world is test.use({ world }).' : scenarioProblem(nextScenario);
    if (problem) throw new Error(`${id} cannot be mounted so: ${problem}`);
    const persona = viewerOf(nextScenario, lab);
    await site.apply(nextScenario);
    const request: MountRequest = {
      lab: lab.name,
      persona,
      clock: lab.clock.state,
      subject: { id, app: id, scenario: nextScenario, ...(state !== undefined && { state }) },
      ...(site.seed !== undefined && { seed: site.seed }),
    };
    const isThere = page.url().startsWith(`${url}/`);
    if (!isThere) await page.goto(`${url}/`, { waitUntil: 'domcontentloaded' });
    const isShown = isUpdate && isThere && (await page.evaluate((order) => gantryKit.update(order), request));
    if (!isShown && isThere) await page.evaluate(() => gantryKit.unmount());
    shown = next;
    scenario = nextScenario;
    viewer = persona;
    app = id;
    if (isShown) return;
    sinceNumber = lab.record.entries.at(-1)?.number ?? 0;
    const ask = (): Promise<Missing> =>
      page.evaluate(([order, limitMs]) => gantryKit.mount(order, limitMs), [request, mountLimitMs] as const);
    await readied(`${id} to be ready`, ask);
  }

  /** Waits until an app is ready, or throws with the reason. */
  async function readied(what: string, ask: () => Promise<Missing>): Promise<void> {
    try {
      requireNothing(what, mountLimitMs, await askPage(what, ask, mountLimitMs + graceMs));
    } catch (error) {
      await recorded();
      const problems = explainEntries(latest(), site.apps).slice(-3).map(explanationText);
      throw new Error([(error as Error).message, ...problems].join('\n\n')); // the cause is the page's minified code
    }
  }

  async function recorded(): Promise<void> {
    if (page.isClosed()) return;
    const ask = (): Promise<void> =>
      page.evaluate(() => (typeof gantryKit === 'undefined' ? undefined : gantryKit.recorded()));
    await askPage('the record', ask, graceMs).catch(() => undefined); // the page may hang or be gone
  }

  const replays = createReplays({
    page,
    startedAtMs,
    lab,
    url,
    scenario: usual,
    gadget: () => gadget,
    isUpdate: () => process.env[tapesVariable] === 'update',
    show(shownNow) {
      ({ app, viewer } = shownNow);
      sinceNumber = lab.record.entries.at(-1)?.number ?? 0;
    },
  });
  const parts: Omit<Gadget, keyof RecordView> = {
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
    mount: async (wanted, next = {}) => show(next, requireApp(wanted ?? (app || undefined), site.apps), false),
    update: (next) => show({ ...shown, ...next }, requireMounted(app), true),
    replay: replays.begin,
    reload: () =>
      readied(`${requireMounted(app)} to be ready again`, () =>
        page.evaluate((limitMs) => gantryKit.reload(limitMs), mountLimitMs),
      ),
    async unmount() {
      if (app !== '') await askPage('the gadget to go', () => page.evaluate(() => gantryKit.unmount()), settledLimitMs);
    },
    async settled({ timeout = settledLimitMs, held = [] } = {}) {
      const what = `${requireMounted(app)} to settle`;
      const ask = (): Promise<Missing> =>
        page.evaluate(([limitMs, names]) => gantryKit.settled(limitMs, names), [timeout, held] as const);
      requireNothing(what, timeout, await askPage(what, ask, timeout + graceMs));
    },
    async context() {
      await recorded();
      return contextIn(latest());
    },
    async state() {
      await recorded();
      return stateIn(latest(), shown.state);
    },
  };
  const gadget: Gadget = joinOpenPromises(withRecordView(parts, latest, record), site.promises);
  const uncaught = site.errors.watch(page, () => gadget);

  return {
    host: 'lab',
    gadget,
    replays,
    get mounted() {
      return { scenario };
    },
    recorded,
    async uncaught() {
      await recorded();
      return uncaught();
    },
    close() {
      forget();
      steps.close();
    },
  };
}

function viewerOf(scenario: Scenario, lab: Lab): string {
  return scenario.persona ?? lab.personas[0]?.id ?? nobody;
}

function requireMounted(app: string): string {
  if (app === '') throw new Error('No gadget is mounted: await gadget.mount() first.');
  return app;
}

function requireApp(id: string | undefined, apps: readonly LabApp[]): string {
  const ids = apps.map(({ id }) => id);
  const [only, ...others] = ids;
  const names = ids.join(', ') || 'none';
  if (id === undefined && only !== undefined && others.length === 0) return only;
  if (id === undefined) throw new Error(`Name the app to mount: there are ${names}.`);
  if (ids.includes(id)) return id;
  throw new Error(`There is no app ${JSON.stringify(id)} under test: there are ${names}.`);
}
