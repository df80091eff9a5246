/** A member whom a gadget can be viewed as. */
export interface Persona {
  /** Id of the member. */
  readonly id: string;
  readonly name: string;
  /** One line about the member: "60 friends, 3 albums". */
  readonly about?: string;
}

/** Unusual data that gadgets must be able to show. */
export interface Oddity {
  /** Stable name for errors and docs: the world, and the case. For example `hostile/rtl-name`. */
  readonly id: string;
  /** One sentence on the data. */
  readonly what: string;
  /** Id of the member who has it. */
  readonly member?: string;
}

/** Data of a site at the start of a lab. */
export interface World {
  readonly name: string;
  /** Content of a world file (docs/world-file.md). */
  readonly file: unknown;
  /** Folder that paths of pictures in `file` are relative to. */
  readonly folder: string;
  /** Suggested viewers, the first by default. Default: chosen by their activity. */
  readonly personas?: readonly Persona[];
  /** Default: none. */
  readonly oddities?: readonly Oddity[];
}

/** Name of a built-in world, path of a world file, or a function that makes one. */
export type WorldSource = string | (() => unknown);

/** Parameters of the worlds that come with Gantry: the same options give the same world. */
export interface WorldOptions {
  /** Current time in milliseconds since the epoch: birthdays and activities are near it. */
  readonly now?: () => number;
  /** Ids of the apps: some members have them, and a hostile world fills their AppData. */
  readonly apps?: readonly string[];
}
