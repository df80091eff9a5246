import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageError } from './usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names a file of settings, `NAME=value` a line, that each process reads when it starts. */
const fileVariable = 'GANTRY_ENV_FILE';

/**
 * Adds the settings of the file that `GANTRY_ENV_FILE` names. A variable of the environment itself counts before it.
 *
 * @returns A new object: `process.env`, which workers inherit, stays as it is, so that a worker that starts later reads the file anew.
 * @throws UsageError if the file cannot be read.
 */
export function withEnvironmentFile(env: Environment): NodeJS.ProcessEnv {
  const file = env[fileVariable];
  if (!file) return { ...env };
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...env };
  } catch (error) {
    throw new UsageError(
      `${fileVariable} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** Returns the file of settings, for the warning that others can read it. */
export function environmentFileOf(env: Environment): string | undefined {
  return env[fileVariable] || undefined;
}
