/** Options of `createGadget`. */
export interface CreateOptions {
  /** Absolute path of the folder to make. */
  readonly folder: string;
}

/** Runs one command line. Resolves with the exit code. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return args.length + Object.keys(env).length > 0 ? 1 : 0;
}
