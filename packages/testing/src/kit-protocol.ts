// What a test in Node and the kit's page say to each other: `window.gantryKit`, called with `page.evaluate`.
import type { Scenario } from '@gantry/lab';
import type { Tape } from '@gantry/lab/tape';
import type { ReplayReport } from '@gantry/lab/tape-host';
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
  /** Runs an app against a tape; without one, mounts it again against the same. Resolves as `mount` does. */
  replay(request: ReplayRequest): Promise<void>;
  /** Resolves when all of the tape happened, the app differed from it, or the limit passed. */
  replayed(limitMs: number): Promise<ReplayReport>;
}

/** Asks for an app against a tape. */
export interface ReplayRequest extends Pick<MountRequest, 'lab' | 'staged'> {
  readonly tape?: Tape;
}
