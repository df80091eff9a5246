import type { Change } from '../init/plan.ts';
import type { Project } from '../init/project.ts';

/** Brings the folder of an app from what an earlier version of Gantry wrote to what this one writes. */
export interface Codemod {
  /** Number and name, as its file has them: `0001-schema`. Codemods run in this order. */
  readonly name: string;
  /** One line on what it does and why. */
  readonly summary: string;
  /** Plans its changes. A folder that has them already gets none. */
  plan(project: Project, settings: UpgradeSettings): CodemodPlan;
}

export interface CodemodPlan {
  readonly changes: readonly Change[];
  /** Places that it cannot change, a sentence for each with the change to make by hand. */
  readonly problems: readonly string[];
}

export interface UpgradeSettings {
  /** Address of a schema of `gadget.json`, where the project has no package that brings one. */
  readonly schema?: string | undefined;
}
