/** An app under development whose files are on this machine. */
export interface AppFolder {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
}
