/** A member worth looking through. */
export interface Persona {
  /** Id of the member. */
  readonly id: string;
  readonly name: string;
  /** One line about the member: "60 friends, 3 albums". */
  readonly about?: string;
}

/** Data of a site at the start of a lab. */
export interface World {
  readonly name: string;
  /** Content of a world file (docs/world-file.md). */
  readonly file: unknown;
  /** Folder that paths of pictures in `file` are relative to. */
  readonly folder: string;
  /** Members worth looking through, the first by default. Default: chosen by how much goes on around them. */
  readonly personas?: readonly Persona[];
}

/** Name of a world that comes with Gantry, absolute path of a world file, or a function that makes the content of one. */
export type WorldSource = string | (() => unknown);
