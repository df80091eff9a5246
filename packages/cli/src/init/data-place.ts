import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError, webRootEvidence } from '@gantry/server';
import type { Project } from '../project/project.ts';
import { mark } from './generated-file.ts';
import { readPackageJson } from './package-json.ts';
import type { Found } from './plan.ts';
import { servingReason } from './serving-reason.ts';

/** Place of the keys and the database (docs/decisions/0078-where-secrets-lie.md). */
export interface DataPlace {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Sentence about it to read before confirming, if any. */
  readonly note?: string;
}

export interface PlaceOptions {
  /** Absolute path of the requested data folder. */
  readonly data?: string | undefined;
  readonly mode: 'ask' | 'write' | 'show';
  /** Asks at a terminal. Absent without one. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Parent of data folders outside of sites. */
  readonly home: string;
}

/**
 * Chooses the data folder: the requested one, that of an earlier run, `.gantry` in a folder that
 * only the site's own code serves, and otherwise one in the user's data directory.
 *
 * @throws UsageError with `--yes`, if the folder may be served and nobody chose.
 */
export async function placeData(project: Project, found: Found, options: PlaceOptions): Promise<DataPlace> {
  const { data, mode, ask, home } = options;
  const { folder } = project;
  const reason = servingReason(project, found);
  const chosen = data ?? earlierData(project);
  if (chosen !== undefined)
    return { data: chosen, ...(isInside(folder, chosen) && reason && { note: publicNote(reason) }) };
  if (reason === undefined) return { data: join(folder, '.gantry') };
  const outside = outsideFolder(folder, home);
  if (reason.isCertain && outside) return { data: outside };
  if (ask && mode === 'ask') return { data: await askPlace(reason.text, outside, ask) };
  const choice = `--data ${outside ?? 'FOLDER'}, or --data ${join(folder, '.gantry')} if no server sends files of ${folder}`;
  if (mode === 'write' || !outside) {
    throw new UsageError(
      `Keys must not lie where a web server could send them: ${reason.text}. Choose with ${choice}.`,
    );
  }
  return { data: outside, note: `${capital(reason.text)}, so --yes needs a choice: ${choice}.` };
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !/^\.\.[/\\]/.test(way) && !isAbsolute(way);
}

/** Returns the folder for all sites in the user's data directory (XDG Base Directory). */
export function dataHome({ XDG_DATA_HOME: set = '' }: NodeJS.ProcessEnv): string {
  return join(isAbsolute(set) ? set : join(homedir(), '.local/share'), 'gantry');
}

/**
 * Returns a site's data folder in the user's data directory: by its name, and by its path, since
 * many are called `html`. `undefined` if that could be served too, such as in /var/www.
 */
function outsideFolder(folder: string, home: string): string | undefined {
  const path = realpathSync(folder);
  const name = basename(path).replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const outside = join(home, `${name}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`);
  return isInside(path, outside) || isInside(folder, outside) || webRootEvidence(home) ? undefined : outside;
}

/** Returns the data folder that an earlier run wrote into the site's files, or made in it. */
function earlierData(project: Project): string | undefined {
  const { folder, files, read } = project;
  const script = readPackageJson(project)?.scripts.gantry ?? '';
  const [, quoted, plain] = /--env-file=(?:"([^"]+)"|(\S+))/.exec(script) ?? [];
  const env = quoted ?? plain;
  const [, named] =
    (env !== undefined && /^GANTRY_DATA="(.+)"$/m.exec(read(relative(folder, resolve(folder, env))) ?? '')) || [];
  const [, inModule] =
    files
      .filter((path) => /(^|\/)gantry\.[mc]?[jt]s$/.test(path))
      .map((path) => read(path) ?? '')
      .filter((text) => text.includes(mark))
      .map((text) => /GANTRY_DATA \?\? '((?:[^'\\\n]|\\.)+)'/.exec(text))[0] ?? [];
  const path = named ?? inModule?.replace(/\\(.)/g, '$1');
  if (path !== undefined) return resolve(folder, path);
  return existsSync(join(folder, '.gantry/keys.json')) ? join(folder, '.gantry') : undefined;
}

async function askPlace(reason: string, outside: string | undefined, ask: (question: string) => Promise<string>) {
  const preset = outside === undefined ? '' : ` (${outside})`;
  const typed = await ask(
    `Keys must not lie where a web server could send them: ${reason}. Folder for them${preset}: `,
  );
  const answer = typed.trim() || outside;
  if (answer === undefined) throw new UsageError('No folder was named. Nothing was changed.');
  return resolve(answer.replace(/^~(?=$|[/\\])/, homedir()));
}

function publicNote({ text }: { readonly text: string }): string {
  return `The data folder lies in the site's folder, and ${text}. gantry check asks for its files.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
