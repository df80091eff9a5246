import type { ActingMember, FaultChoice, FaultScope, Scenario } from '@gantry/lab';
import type { RecordView } from '@gantry/testing/record-view';
import type { FrameLocator, Locator } from 'vitest/browser';

/** Scenario of a mount. The first mount of a test chooses world and seed. */
export interface BrowserMountOptions extends Scenario {
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
  /** Seed that makes two runs equal. Default: that of the plugin. */
  readonly seed?: string;
}

/**
 * A gadget in Vitest's page. Its record is in Node and is fetched by each method that returns a
 * promise, and after each read: `expect.poll(() => gadget.calls)` works.
 */
export interface BrowserGadget extends RecordView {
  readonly app: string;
  /** Id of the viewer, or `nobody`. */
  readonly viewer: string;
  /** The `<gantry-gadget>` element. */
  readonly element: HTMLElement;
  /**
   * The app's document, for clicks and keys of Vitest's locators. Needs the provider of
   * `@vitest/browser-playwright`.
   */
  readonly frame: FrameLocator;
  readonly clock: BrowserClock;
  readonly faults: BrowserFaults;
  readonly social: { as(member: string): BrowserMember };
  /**
   * Waits for an element of the app's document to be seen, and returns its text: no page can read
   * it, so `expect.element` cannot.
   *
   * @example
   * expect(await gadget.text(gadget.frame.getByRole('status'))).toBe('2 notes');
   */
  text(locator: Locator, options?: { readonly timeout?: number }): Promise<string>;
  /** Resolves when an element is gone from the app's document. */
  gone(locator: Locator, options?: { readonly timeout?: number }): Promise<void>;
  /**
   * Resolves when no call is open, no write waits, and the height is still.
   *
   * @throws Error that names what was waited for.
   */
  settled(options?: { readonly timeout?: number }): Promise<void>;
  reload(): Promise<void>;
  unmount(): Promise<void>;
  offline<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** An app that runs against a tape in the place of a site. */
export interface BrowserReplay {
  readonly gadget: Omit<BrowserGadget, 'clock' | 'faults' | 'social' | 'settled' | 'reload' | 'offline'>;
  /** Resolves when all of the tape happened. @throws Error with the difference. */
  finished(options?: { readonly timeout?: number }): Promise<void>;
}

/** Time of site, page and frame, as `TestClock` of the fixtures for Playwright. */
export interface BrowserClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @param by `'30 s'`, `'5 min'`, `'2 h'`, `'1 d'`, or milliseconds. */
  jump(by: number | string): Promise<void>;
  stop(at?: number | Date): Promise<void>;
  start(): Promise<void>;
}

/** Faults of network and site. They are active when the promise resolves. */
export interface BrowserFaults {
  once(operation: string, of?: FaultScope): BrowserFaultChoice;
  network(network: NonNullable<Scenario['network']>): Promise<void>;
  deny(permission: string): Promise<void>;
  clear(): Promise<void>;
}

export type BrowserFaultChoice = {
  readonly [Fault in keyof FaultChoice]: (...values: Parameters<FaultChoice[Fault]>) => Promise<void>;
};

export type BrowserMember = ActingMember;
