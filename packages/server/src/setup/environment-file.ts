import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable with a file of settings, `NAME=value` a line, that each process reads at its start. */
const fileVariable = 'GANTRY_ENV_FILE';

/**
 * Adds the settings of the file that `GANTRY_ENV_FILE` names. The environment's own variables win.
 *
 * @returns A new object: `process.env` stays as it is, so that later workers read the file anew.
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

/** Returns the path of the file of settings, if any. */
export function environmentFileOf(env: Environment): string | undefined {
  return env[fileVariable] || undefined;
}
