import type { Project } from './project.ts';

export const frameworks = ['express', 'next', 'node', 'php', 'flask', 'other'] as const;
export type Framework = (typeof frameworks)[number];

/** The site that was found. */
export interface Found {
  readonly framework: Framework;
  /** The file that starts the site or makes its app, where one was found. */
  readonly entry?: string;
  /** The evidence, as half a sentence: `server.js imports it`. */
  readonly reason: string;
}

/** A file that is made or changed. */
export interface Change {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  /** Absent: there is no such file yet. */
  readonly before?: string;
  readonly after: string;
  /** Holds a key: for its owner only, and not shown. */
  readonly isSecret?: boolean;
}

/** Place of the sign-in, which decides the members that Gantry knows at first. */
export type SignIn =
  /** The site's session names the member, whom Gantry gets to know when it first sees them. */
  | 'session'
  /** Gantry's own pages, with two sample members. */
  | 'gantry'
  /** The site's pages send a token with the member's id and name. */
  | 'token';

/** All that `gantry init` would do. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Files of an earlier run that were changed since: they are left as they are. */
  readonly kept: readonly string[];
  readonly signIn: SignIn;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** SQLite file or PostgreSQL address. */
  readonly database: string;
  /** Things to know before a yes, in whole sentences. */
  readonly notes: readonly string[];
  /** Commands that start the site afterwards. */
  readonly start: readonly string[];
  /** Path of the page with the gadgets. */
  readonly page: string;
}

/** Settings that a plan is made with. */
export interface PlanContext {
  readonly project: Project;
  readonly found: Found;
  /** Public address of the site, an origin. */
  readonly url: string;
  /** Absolute path of the data folder that was asked for. */
  readonly data?: string | undefined;
  /** SQLite file or PostgreSQL address that was asked for. */
  readonly database?: string | undefined;
  /** Makes the key of viewer tokens: 32 random bytes as base64url. */
  readonly newKey: () => string;
  /** Version of these packages. */
  readonly version: string;
}
