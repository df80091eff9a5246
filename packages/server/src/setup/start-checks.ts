import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appsHostProblem } from '@gantry/proxy';
import { printableDatabase } from './database-address.ts';
import { releaseWarning } from './node-release.ts';
import { UsageError } from './usage-error.ts';

/** Time of this release: no correct clock shows an earlier one. */
const earliestMs = Date.parse('2026-01-01T00:00:00Z');

/**
 * Checks the clock, the hosts and the data folder before a server opens or writes anything
 * (security rules 4 and 24). @throws UsageError in one line with the remedy.
 */
export function checkStart(options: {
  readonly data: string;
  /** Public address. Absent: on `localhost`. */
  readonly url?: string | undefined;
  readonly appsHost?: string | undefined;
  readonly nowMs?: number;
}): void {
  const { data, url: siteOrigin = 'http://localhost', appsHost, nowMs = Date.now() } = options;
  if (nowMs < earliestMs) {
    const time = new Date(nowMs).toISOString();
    throw new UsageError(`The clock of this machine shows ${time}. Set it first: signatures depend on it.`);
  }
  const problem = appsHostProblem({ siteOrigin, appsHost });
  if (problem !== undefined) throw new UsageError(`${problem} It is set with --apps-host or GANTRY_APPS_HOST.`);
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The data folder ${data} cannot be used (${code}). Choose another with --data or GANTRY_DATA.`,
    );
  }
}

/**
 * Returns warnings for a server's start, a line each: a Node release with a known fault, a database
 * that was not named for Gantry, files of keys that are no longer read, and a data folder or keys
 * that other users of the machine can access (security rule 30).
 */
export function startWarnings(options: {
  readonly data: string;
  readonly database?: string;
  /** It was found in `DATABASE_URL`. */
  readonly databaseIsFound?: boolean | undefined;
  /** File of settings, which may hold secrets. */
  readonly environmentFile?: string | undefined;
  /** The keys are sealed in the database. */
  readonly isSealed?: boolean;
  readonly nodeVersion?: string;
  /** User of this process. */
  readonly userId?: number | undefined;
}): readonly string[] {
  const { data, database = '', databaseIsFound, environmentFile, isSealed = false } = options;
  const { nodeVersion = process.versions.node, userId = process.getuid?.() } = options;
  const openToOthers = (path: string, remedy: string) => opennessWarning(path, { remedy, userId });
  const keyFiles = ['keys.json', 'site-key.pem'].map((name) => join(data, name));
  const release = releaseWarning(nodeVersion);
  return [
    ...(release === undefined ? [] : [release]),
    ...(databaseIsFound ? [`The database is that of DATABASE_URL: ${printableDatabase(database)}`] : []),
    ...openToOthers(data, 'chmod 700'),
    ...keyFiles.flatMap((file) => openToOthers(file, 'chmod 600')),
    ...(isSealed ? keyFiles.filter(existsSync).map(unread) : []),
    ...(environmentFile === undefined ? [] : openToOthers(environmentFile, 'chmod 600')),
  ];
}

function unread(file: string): string {
  return `${file} is no longer read: the keys are sealed in the database. Keep it with the backups from before, not here.`;
}

/** Returns a line about a file that others can access. Another owner chose the file's group. */
function opennessWarning(path: string, options: { remedy: string; userId: number | undefined }): readonly string[] {
  const { mode, uid } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0, uid: undefined };
  const open = mode & (uid === options.userId ? 0o077 : 0o007);
  if (open === 0 || process.platform === 'win32') return []; // modes mean nothing there
  const octal = (mode & 0o777).toString(8);
  return [`${path} is open to other users of this machine (mode ${octal}): run ${options.remedy} ${path}`];
}
