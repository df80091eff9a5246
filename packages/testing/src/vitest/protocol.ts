// Messages between a test in the browser and its site in Node: the browser command `gantry`.
import type { ActingMember, Entry, FaultChoice, FaultScope, Scenario } from '@gantry/lab';
import type { ClockState } from '@gantry/lab/two-hands';

/** Asks for a site of its own, for one test. */
export interface OpenRequest {
  /** Name of a world, or path of a world file. Default: that of the plugin. */
  readonly world?: string;
  readonly scenario?: Scenario;
  readonly seed?: string;
}

/** The site of a test. */
export interface Opened {
  readonly lab: string;
  readonly apps: readonly string[];
  readonly personas: readonly string[];
  /** Viewer where a site has no members. */
  readonly nobody: string;
  /** Members of every scenario. */
  readonly scenario: Scenario;
  readonly seed?: string;
}

/** One request to the site of a test. */
export type Ask =
  | { readonly ask: 'entries' | 'close' | 'start' | 'clear' }
  | { readonly ask: 'apply'; readonly scenario: Scenario }
  | { readonly ask: 'tape' /** Relative to the test's file. */; readonly path: string }
  | { readonly ask: 'jump'; readonly by: number | string }
  | { readonly ask: 'stop'; readonly at?: number }
  | { readonly ask: 'network'; readonly network: NonNullable<Scenario['network']> }
  | { readonly ask: 'deny'; readonly permission: string }
  | {
      readonly ask: 'fault';
      readonly operation: string;
      readonly of?: FaultScope;
      readonly fault: keyof FaultChoice;
      readonly values: readonly unknown[];
    }
  | {
      readonly ask: 'social';
      readonly member: string;
      readonly act: keyof ActingMember;
      readonly values: readonly unknown[];
    }
  | {
      readonly ask: 'look';
      /** Selector of a locator of Vitest. */
      readonly selector: string;
      readonly state: 'visible' | 'hidden';
      readonly limitMs: number;
    };

/** A request with the lab that it is for, and the number of the last entry that the page has. */
export type AskedOfLab = Ask & { readonly lab: string; readonly since: number };

export type Asked = { readonly ask: 'open'; readonly open: OpenRequest } | AskedOfLab;

/** Outcome of a request. */
export interface Told {
  readonly value?: unknown;
  /** Entries of the record that the page does not have. */
  readonly entries: readonly Entry[];
  readonly clock: ClockState;
}
