import type { AuthorStatement } from './author-statement.ts';
import type { KeyMay } from './registry-keys.ts';
import type { VersionDifference } from './version-difference.ts';

// Answers of /gantry/registry/ as JSON. Times are ISO 8601.

/** State of a version as others see it: an accepted one that members get is `live`. */
export type ShownState = 'live' | 'accepted' | 'waiting' | 'preview' | 'refused';

/** One version of an app, without its files. */
export interface VersionFacts {
  /** SHA-256 of its list of files. */
  readonly version: string;
  readonly state: ShownState;
  readonly name: string;
  /** `version` of its gadget.json. */
  readonly label?: string | undefined;
  readonly bytes: number;
  /** Key, member or command that brought it. */
  readonly madeBy: string;
  readonly madeAt: string;
  readonly decidedBy?: string | undefined;
  readonly decidedAt?: string | undefined;
}

/** Findings of the site about a version, and the words of its author. */
export interface VersionReport extends VersionFacts {
  readonly app: string;
  readonly description?: string | undefined;
  readonly files: number;
  /** Compared with the live version now. */
  readonly difference: VersionDifference;
  /** The author's own words. The site checks none of them. */
  readonly statement?: AuthorStatement | undefined;
}

/** Answer to a commit. */
export interface PushAnswer extends VersionReport {
  /** `registered`: it is the app's first version and live. `unchanged`: it was in this state. */
  readonly done: 'registered' | 'live' | 'waiting' | 'preview' | 'unchanged';
}

/** Answer to a list of files. */
export interface MissingAnswer {
  readonly version: string;
  /** Digests of the chunks to send. */
  readonly missing: readonly string[];
}

/** The key of a request. */
export interface KeyAnswer {
  readonly id: string;
  readonly title: string;
  readonly apps: readonly string[];
  readonly may: KeyMay;
  readonly expiresAt: string;
}

/** An app as its deliverers see it. */
export interface AppStatus {
  readonly app: string;
  /** `unknown`: no app has the id yet. */
  readonly state: 'active' | 'paused' | 'unknown';
  readonly name?: string | undefined;
  /** Absent: no version is live. The app may be served from a folder. */
  readonly live?: VersionFacts | undefined;
  readonly waiting: readonly VersionFacts[];
  readonly previews: readonly VersionFacts[];
  readonly may: KeyMay;
}

/** Versions and changes of an app, newest first. */
export interface HistoryAnswer {
  readonly app: string;
  readonly versions: readonly VersionFacts[];
  readonly changes: readonly ChangeFacts[];
}

/** One row of the audit. */
export interface ChangeFacts {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome: 'done' | 'refused';
  readonly detail?: string | undefined;
}
