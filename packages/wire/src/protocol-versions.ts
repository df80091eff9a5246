/** Version of all packages, equal to that in each `package.json`. */
export const release = '0.1.0';

/** Versions of the bridge's protocol that one side supports. */
export type VersionRange = readonly [least: number, greatest: number];

/** A page and an app without a common version of the protocol, and the update that would help. */
export interface VersionMismatch {
  readonly app: VersionRange;
  readonly page: VersionRange;
  /** Side that is too old. */
  readonly update: 'app' | 'site';
  /** First release of Gantry that has a common version, if known. */
  readonly needs?: string;
  /** Version of the app's SDK, if its hello has one. */
  readonly sdk?: string;
}
