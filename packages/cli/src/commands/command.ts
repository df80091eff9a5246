import type { Output } from '../output.ts';

/** One word after `gantry`. */
export interface Command {
  readonly name: string;
  /** One line of `gantry --help`. */
  readonly summary: string;
  /** What `gantry NAME --help` prints: usage, flags, examples. */
  readonly help: string;
  /** @throws UsageError for what was not understood; any other error for what failed. */
  run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void>;
}
