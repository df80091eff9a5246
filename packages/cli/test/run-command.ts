import { main } from '../src/index.ts';

/** Code and output of a command line. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line of `gantry` in this process. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandRun> {
  const lines = { out: [] as string[], err: [] as string[] };
  const output = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) };
  const code = await main(args, env, output);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}
