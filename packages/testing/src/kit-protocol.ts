// What a test in Node and the kit's page say to each other: `window.gantryKit`, called with `page.evaluate`.
import type { Scenario } from '@gantry/lab';
import type { ClockState } from '@gantry/lab/two-hands';

/** Asks for a gadget on the page. */
export interface MountRequest {
  /** Name of the lab. */
  readonly lab: string;
  /** Member who looks, or `nobody`. */
  readonly persona: string;
  readonly staged: {
    readonly id: string;
    readonly app: string;
    readonly scenario: Scenario;
    /** Value of `gantry.state` at the start. */
    readonly state?: unknown;
  };
  /** Time of the lab. */
  readonly clock: ClockState;
}

/** The kit's page, as `window.gantryKit`. */
export interface KitPage {
  /** Resolves when the gadget is ready or asks for consent. @throws Error if it cannot be shown. */
  mount(request: MountRequest): Promise<void>;
  /** Resolves when page and frames have the time of their lab. @throws Error that names a frame that does not follow. */
  setClock(time: { readonly lab: string; readonly clock: ClockState }): Promise<void>;
}
