import type { Output } from '../terminal/output.ts';

/** A command: the first word after `gantry`. */
export interface Command {
  readonly name: string;
  /** One line of `gantry --help`. */
  readonly summary: string;
  /** Output of `gantry NAME --help`: usage, flags, examples. */
  readonly help: string;
  /** Runs the command. @throws UsageError for a usage error; any other error for a failure. */
  run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void>;
}
