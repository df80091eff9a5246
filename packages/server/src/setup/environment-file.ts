import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { withSecretFiles } from './secrets.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable with a file of settings, `NAME=value` a line, that each process reads at its start. */
const fileVariable = 'GANTRY_ENV_FILE';

/**
 * Adds the settings of the file that `GANTRY_ENV_FILE` names, then the secrets that have a file
 * each. The environment's own variables win.
 *
 * @returns A new object: `process.env` stays as it is, so that later workers read the files anew.
 * @throws UsageError if a file cannot be read, or a secret is given twice.
 */
export function withEnvironmentFile(env: Environment): NodeJS.ProcessEnv {
  const file = env[fileVariable];
  if (!file) return withSecretFiles(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${fileVariable} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return withSecretFiles({ ...parseEnv(text), ...env });
}

/** Returns the path of the file of settings, if any. */
export function environmentFileOf(env: Environment): string | undefined {
  return env[fileVariable] || undefined;
}
