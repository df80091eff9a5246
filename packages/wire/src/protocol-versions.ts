/** Version of all packages. A test holds it to their `package.json`. */
export const release = '0.1.0';

/** Versions of the bridge's protocol that one side speaks: all from the least to the greatest. */
export type VersionRange = readonly [least: number, greatest: number];

/** A page and an app without a common version of the protocol, and what would give them one. */
export interface VersionMismatch {
  readonly app: VersionRange;
  readonly page: VersionRange;
  /** The side that is too old. */
  readonly update: 'app' | 'site';
  /** First release of Gantry with which that side speaks a common version, where it is known. */
  readonly needs?: string;
  /** Package version of the app's SDK, where its hello names one. */
  readonly sdk?: string;
}
