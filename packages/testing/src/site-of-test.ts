import type { Lab, LabApp, Scenario } from '@gantry/lab';

/** The site of one test, as its gadgets need it. */
export interface SiteOfTest {
  readonly lab: Lab;
  readonly apps: readonly LabApp[];
  /** Origin, without a slash at its end. */
  readonly url: string;
  readonly seed: string | undefined;
  /** Applies a scenario to the lab and to later frames. */
  apply(scenario: Scenario): Promise<void>;
  close(): Promise<void>;
}
