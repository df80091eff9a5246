// Messages between a test in Node and the kit's page: `window.gantryKit`, called with
// `page.evaluate`.
import type { Scenario } from '@gantry/lab';
import type { ClockState } from '@gantry/lab/jumping-clock';
import type { Tape } from '@gantry/lab/tape';
import type { ReplayReport } from '@gantry/lab/tape-host';

/** Asks for a gadget on the page. */
export interface MountRequest {
  readonly lab: string;
  /** Id of the viewer, or `nobody`. */
  readonly persona: string;
  readonly subject: {
    readonly id: string;
    readonly app: string;
    readonly scenario: Scenario;
    /** Value of `gantry.state` at the start. */
    readonly state?: unknown;
  };
  /** Time of the lab. */
  readonly clock: ClockState;
  /** Makes the container's chance repeat itself. */
  readonly seed?: string;
}

/** Outcome of a wait: a line for each thing that is still missing. */
export interface Missing {
  readonly missing: readonly string[];
}

/** The kit's page, as `window.gantryKit`. */
export interface KitPage {
  /** Resolves when the gadget is ready or asks for consent. @throws Error if it cannot be shown. */
  mount(request: MountRequest, limitMs: number): Promise<Missing>;
  /** Shows another scenario without a reload. Returns false if it needs one. */
  update(request: MountRequest): boolean;
  /** Loads the app anew and resolves when it is ready again. */
  reload(limitMs: number): Promise<Missing>;
  /** Removes the gadget. Resolves when all reports about it are in the record. */
  unmount(): Promise<void>;
  /** Resolves when the gadget is settled but for a call of each `held`, or the limit has passed. */
  settled(limitMs: number, held: readonly string[]): Promise<Missing>;
  /** Resolves when all reports of the page so far are in the record. */
  recorded(): Promise<void>;
  /** Connects or disconnects the network of the gadget. */
  setOnline(isOnline: boolean): void;
  /** Deletes all results and writes of the member, as a site does at sign-out. */
  purge(): Promise<void>;
  /** Resolves when page and frames have a lab's time. @throws Error that names a frame without. */
  setClock(time: { readonly lab: string; readonly clock: ClockState }): Promise<void>;
  /** Runs an app against a tape, by default the last one. Resolves as `mount` does. */
  replay(request: ReplayRequest): Promise<void>;
  /** Resolves when all of the tape happened, the app differed from it, or the limit passed. */
  replayed(limitMs: number): Promise<ReplayReport>;
}

/** Asks for an app against a tape. */
export interface ReplayRequest extends Pick<MountRequest, 'lab' | 'subject'> {
  readonly tape?: Tape;
}

export function differenceOf({ mismatch, done, steps }: ReplayReport, tape = 'the tape'): string {
  const what = mismatch?.message ?? `The tape stopped after ${done} of ${steps} steps.`;
  const diff = mismatch?.diff ? `\n\n${mismatch.diff}` : '';
  return `The gadget does not do what ${tape} has. ${what}${diff}`;
}

/** Returns the appearance in a tape's scenario. Members may be stand-ins, which no world has. */
export function appearanceOf(scenario: Scenario): Scenario {
  const { world, persona, owner, permissions, network, clock, api, albums, interval, ...appearance } = scenario;
  return appearance;
}
