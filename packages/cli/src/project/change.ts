/** A file to create or change. */
export interface Change {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  /** Absent: the file does not exist yet. */
  readonly before?: string;
  readonly after: string;
  /** Holds a key: readable by its owner only, and not shown. */
  readonly isSecret?: boolean;
}
