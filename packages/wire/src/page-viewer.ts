/** Person whom the session of a page's request names. */
export interface PageViewer {
  readonly id: string;
  /** False for an id that no member has. Such a viewer is nobody (security rule 37). */
  readonly isMember: boolean;
  /**
   * Differs between members who have the id one after the other. Part of tokens and cache keys.
   * Absent if no earlier member had it.
   */
  readonly epoch?: string | undefined;
}
