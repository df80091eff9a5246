import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';

/** Changes an app's folder from an earlier version of Gantry to this one. */
export interface Codemod {
  /** Number and name of its file: `0001-schema`. Codemods run in this order. */
  readonly name: string;
  /** One line with its change and reason. */
  readonly summary: string;
  /** Plans its changes: none for a folder that has them. */
  plan(project: Project, settings: UpgradeSettings): CodemodPlan;
}

export interface CodemodPlan {
  readonly changes: readonly Change[];
  /** Places to change by hand, a sentence each. */
  readonly problems: readonly string[];
}

export interface UpgradeSettings {
  /** Address of the schema, if the project has no package that contains it. */
  readonly schema?: string | undefined;
}
