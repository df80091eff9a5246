import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';

export const frameworks = ['express', 'next', 'node', 'php', 'flask', 'other'] as const;
export type Framework = (typeof frameworks)[number];

/** The detected site. */
export interface Found {
  readonly framework: Framework;
  /** File that starts the site or creates its app, if found. */
  readonly entry?: string;
  /** The evidence, as part of a sentence: `server.js imports it`. */
  readonly reason: string;
}

/** Kind of sign-in, which decides how Gantry learns of members. */
export type SignIn =
  /** The site's session names the member, whom Gantry saves at the first request. */
  | 'session'
  /** Gantry's own pages, with two sample members. */
  | 'gantry'
  /** The site's pages send a token with the member's id and name. */
  | 'token';

/** Lines that the site's owner inserts, where no place in a file is certain. */
export interface Paste {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Part of a sentence: `after the app is made`. */
  readonly where: string;
  readonly lines: readonly string[];
}

/** Everything that `gantry init` would do. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Files of an earlier run that were changed since, and stay. */
  readonly kept: readonly string[];
  readonly signIn: SignIn;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** SQLite file or PostgreSQL address. */
  readonly database: string;
  /** Notes to read before confirming, in sentences. */
  readonly notes: readonly string[];
  /** Lines that are missing in the site's own files, and are not inserted. */
  readonly pastes: readonly Paste[];
  /** Commands that start the site afterwards. */
  readonly start: readonly string[];
  /** Path of the page with the gadgets. */
  readonly page: string;
}

export interface PlanContext {
  readonly project: Project;
  readonly found: Found;
  /** Public address of the site, an origin. */
  readonly url: string;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Requested SQLite file or PostgreSQL address. */
  readonly database?: string | undefined;
  /** Makes the key of viewer tokens: 32 random bytes as base64url. */
  readonly newKey: () => string;
}

/** Parts of a plan that depend on the framework. */
export type SitePart = Pick<Plan, 'changes' | 'signIn' | 'notes' | 'pastes' | 'start' | 'page'>;

/** Place of the settings: in the project, if the data folder is, else in the data folder. */
export interface EnvironmentPlace {
  /** Relative to the project. */
  readonly path: string;
  /** Absolute, unless it is in the project. */
  readonly name: string;
}

/** Context with the names of the data folder decided. */
export interface SiteContext extends PlanContext {
  /** Data folder as the site's code names it: relative if in the project. */
  readonly dataName: string;
  /** The settings, which hold a key. */
  readonly env: EnvironmentPlace;
}
