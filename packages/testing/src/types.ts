import type { CallRoutes, Entry, Faults, Lab, LabApp, Scenario, Social, World } from '@gantry/lab';
import type { Tape } from '@gantry/lab/tape';
import type { WireError } from '@gantry/wire';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import type { GadgetReplay, ReplayOptions } from './gadget-replay.ts';

/** A world as tests name it. `make` returns, or resolves with, the content of a world file. */
export type WorldOfTest = string | World | { readonly make: () => unknown };

/** Options of a project, a file or a group of tests: `test.use({ world: 'crowd' })`. */
export interface GantryOptions {
  /**
   * Apps under test: folders with a `gadget.json`, relative to the configuration file, or
   * registrations. Ids are the names of the folders. Default: the folder of the configuration file.
   */
  apps: readonly (string | LabApp)[];
  /**
   * Data of the site: a name, the path of a world file, a world or a maker. Default: `friendly`.
   *
   * @example
   * // an object: Playwright takes a bare function for a fixture
   * const members = [{ id: 'ann', displayName: 'Ann' }];
   * test.use({ world: { make: () => ({ members }) } });
   */
  world: WorldOfTest;
  /** Members of every scenario of `mount`, where it names no others. */
  scenario: Scenario;
  /**
   * Makes two runs of a test equal: ids, nonces and tokens come from this text, and time stands
   * still at an instant of 2026. Default: none, so chance is chance and time passes.
   */
  seed: string | undefined;
  /**
   * Uncaught errors and unhandled rejections of apps that a test expects, by a part of their text
   * or an expression for it. Any other fails the test, and so does one that did not come.
   */
  expectedErrors: readonly (string | RegExp)[];
}

/** Differences of one mount: a scenario without its world, and the first state. */
export interface MountOptions extends Omit<Scenario, 'world'> {
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
}

/** One call of the app, as the record has it. */
export interface Call {
  /** Counts the calls of the gadget's place, from 1. */
  readonly number: number;
  /** Name as apps write it: `people.get`. */
  readonly operation: string;
  readonly params: unknown;
  /** Milliseconds since the epoch, by the lab's clock. */
  readonly atMs: number;
  /**
   * Source of the result: the page's cache (`fresh`, `stale`), a request (`asked`), and so on.
   * Absent while the call is open.
   */
  readonly decision?: string;
  /** Result; absent while the call is open, and where it failed. */
  readonly ok?: unknown;
  readonly error?: WireError;
  readonly tookMs?: number;
  /** False until its reply was delivered. */
  readonly isSettled: boolean;
}

/** An event that the page sent to the app. */
export interface ToldEvent {
  readonly name: string;
  readonly data: unknown;
  readonly atMs: number;
}

/** A line that the app wrote to its console. */
export interface LogLine {
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** A refused call, file or connection, or an action that the sandbox blocks. */
export interface Refusal {
  readonly kind: 'refusal' | 'policy' | 'sandbox' | 'limit';
  /** One line: the refusal, and its cure if known. */
  readonly message: string;
  readonly entry: Entry;
}

/** The record of one gadget, and its parts. */
export interface RecordView {
  /** Entries of the record that concern this gadget, in their order, over all its mounts. */
  readonly record: readonly Entry[];
  /** Calls since the latest mount, as `events`, `logs` and `refusals` are. */
  readonly calls: readonly Call[];
  readonly events: readonly ToldEvent[];
  readonly logs: readonly LogLine[];
  readonly refusals: readonly Refusal[];
}

/** One gadget on a page of its own, as one member sees it. */
export interface Gadget extends RecordView {
  /** The site; absent on a running site, whose data no test can read. */
  readonly lab?: Lab | undefined;
  readonly page: Page;
  /** The `<gantry-gadget>` element, with the container's buttons and cards. */
  readonly element: Locator;
  /** The app's document. */
  readonly frame: FrameLocator;
  /** Id of the app that was mounted last. */
  readonly app: string;
  /** Id of the viewer, or `nobody`. */
  readonly viewer: string;
  /**
   * Shows an app and resolves when it is ready or asks for consent. A second mount replaces it.
   *
   * @example
   * await gadget.mount(); // the only app under test, for the world's first member
   * await gadget.mount('notes', { persona: 'm-2', theme: 'dark', network: 'slow' });
   * @param app Id. Default: the app that was mounted before, or the only one under test.
   * @throws Error that lists the apps there are, names an unknown option, or says why this one
   * cannot be shown and what to do.
   */
  mount(app?: string, options?: MountOptions): Promise<void>;
  /**
   * Shows an app that is answered by a tape instead of a site. The end of the test waits for
   * `finished` where the test did not. With `GANTRY_TAPES=update` a tape that is named by its path
   * is recorded instead.
   *
   * @param tape Path, relative to the test's file, or a tape.
   * @throws Error that names the command which records it, where there is no such file.
   */
  replay(tape: string | Tape, options?: ReplayOptions): Promise<GadgetReplay>;
  /**
   * Shows other members of the same scenario. Width, theme, contrast, motion, direction, time zone
   * and what concerns the site apply without a new load; others mount the app anew.
   *
   * @example
   * await gadget.update({ theme: 'dark' });
   */
  update(options: MountOptions): Promise<void>;
  /** Loads the app anew, as its menu does, and resolves when it is ready. `gantry.state` stays. */
  reload(): Promise<void>;
  /** Takes the gadget off the page. Its record stays until the next mount. */
  unmount(): Promise<void>;
  /**
   * Resolves when the handshake is done, or consent is asked; no call is open; no write waits; for
   * two frames of page and app no message passed and the height stayed; and what the page saw has
   * arrived in the record.
   *
   * @param options.timeout Milliseconds. Default: 10,000.
   * @param options.held Operations of calls that may stay open, such as those that the test holds.
   * @throws Error that names what was waited for:
   * `2 calls open: people.get, appdata.update; height still changing`.
   */
  settled(options?: { readonly timeout?: number; readonly held?: readonly string[] }): Promise<void>;
  /** Latest context of the app, such as viewer, view and theme. */
  context(): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Value of `gantry.state` as the app set it last, or as `mount` gave it. */
  state(): Promise<unknown>;
}

/** A gadget as matchers see it: of a site of the test's own, or of one that runs already. */
export type ShownGadget = Omit<Gadget, 'mount' | 'replay' | 'update' | 'reload' | 'unmount'>;

/**
 * Time of a test, in two parts. *Time* (`Date` of page and frame, ages, intervals, tokens) stops
 * and jumps; *scheduling* (the network, heartbeats, animation frames) never stops. A jump fires
 * what became due, in page, frame and site; a repeated timer that became due several times fires
 * once. Each promise resolves when all open pages and their frames have followed.
 */
export interface TestClock {
  /** Milliseconds since the epoch. */
  now(): number;
  readonly isStopped: boolean;
  /**
   * Moves time forward. Deadlines of calls that are open become due too: `await gadget.settled()`
   * first, where none is meant to.
   *
   * @param by `'30 s'`, `'5 min'`, `'2 h'`, `'1 d'`, or milliseconds.
   */
  jump(by: number | string): Promise<void>;
  /**
   * Stops time; timers go on.
   *
   * @param at Instant at which it stands. A later one than now is a jump. Default: now.
   */
  stop(at?: number | string | Date): Promise<void>;
  /** Restarts time from where it stopped. */
  start(): Promise<void>;
}

/** Decisions of the member on consent, made by presses in the page. */
export interface Consent {
  /** Allows everything requested, and resolves when the app has it. */
  allow(): Promise<void>;
  /** Defers the decision: *Not now*. */
  refuse(): Promise<void>;
  /**
   * Withdraws a permission in the gadget's menu. Required ones are withdrawn together.
   *
   * @param permission Name as in the record's context: `activities.post`.
   */
  withdraw(permission: string): Promise<void>;
  /** Returns the same for another gadget of the test: `gantry.consent.of(friend).allow()`. */
  of(gadget: Gadget): Consent;
}

/** Network of the gadget's page. While it is off, calls fail or wait; other members stay online. */
export interface Network {
  /**
   * Disconnects the page while `work` runs.
   *
   * @param options.optional The app need not call anything meanwhile, as where it only shows that
   * it is offline. Default: the test fails if it does not, since it would pass without.
   */
  offline<T>(work: () => Promise<T>, options?: { readonly optional?: boolean }): Promise<T>;
  /** Resolves when page and frame are offline. */
  goOffline(): Promise<void>;
  /** Resolves when page and frame are online; waiting writes are sent then. */
  goOnline(): Promise<void>;
  /** Returns the same for another gadget of the test: `gantry.network.of(friend).goOffline()`. */
  of(gadget: Gadget): Network;
}

/** The site around a gadget. */
export interface Site {
  /** Changes settings of the site, as its owner does: `interval` in seconds, `api`, `albums`. */
  settings(settings: Pick<Scenario, 'api' | 'albums' | 'interval'>): Promise<void>;
  /** Signs the member out: the page deletes their data, and the gadget has no viewer. */
  signOut(): Promise<void>;
  /** Shows the gadget to another member. */
  signIn(persona: string): Promise<void>;
  /** Returns the same for another gadget of the test: `gantry.site.of(friend).signOut()`. */
  of(gadget: Gadget): Site;
}

/** The surroundings of a gadget: the site of the test, and what the test decides about it. */
export interface Gantry {
  /**
   * The site of the test, with a world of its own: proxy and service over SQLite in memory.
   *
   * @example
   * test('is refused what was denied', async ({ gadget, gantry }) => {
   *   await gantry.lab.permissions.set('without:people.get');
   *   await gadget.mount();
   * });
   */
  readonly lab: Lab;
  /**
   * Opens another member's browser on the same site, with a page for a gadget.
   *
   * @example
   * test('shows what a friend writes', async ({ gadget, gantry }) => {
   *   await gadget.mount();
   *   const friend = await gantry.open('m-2');
   *   await friend.mount();
   *   await friend.frame.getByRole('button', { name: 'Wave' }).click();
   *   await expect(gadget.frame.getByText('Bo waves')).toBeVisible();
   * });
   */
  open(persona: string): Promise<Gadget>;
  /** Time of page, frame and site. */
  readonly clock: TestClock;
  /** Other members and their actions elsewhere. */
  readonly social: Social;
  /** Decisions on consent. `test.use({ scenario: { permissions: 'none' } })` makes the app ask. */
  readonly consent: Consent;
  /** The network of the gadget's page. `offline` itself is an option of Playwright's. */
  readonly network: Network;
  /** The site around the gadget. */
  readonly site: Site;
  /**
   * Faults of network and site.
   *
   * @example
   * gantry.faults.once('activities.create').dropReply();
   */
  readonly faults: Faults;
  /** Calls that the test answers, fails, holds or lets through. */
  readonly calls: CallRoutes;
}

/** Fixtures of one test. */
export interface GantryFixtures {
  /**
   * The gadget under test, in the page of the test.
   *
   * @example
   * test('greets the member', async ({ gadget }) => {
   *   await gadget.mount();
   *   await expect(gadget.frame.getByText('Hello Ann')).toBeVisible();
   *   expect(gadget.calls.map(({ operation }) => operation)).toEqual(['people.get']);
   * });
   */
  gadget: Gadget;
  gantry: Gantry;
}
