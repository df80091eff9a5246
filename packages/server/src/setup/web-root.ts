import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

const names = /^(public_html|public|htdocs|httpdocs|wwwroot|webroot|docroot|www|html)$/i;

/** Files that lie at the top of web roots. */
const files = ['index.html', 'index.htm', 'default.html', 'index.php', '.htaccess', 'web.config', 'robots.txt'];

/**
 * Returns the evidence that a web server may send files of a folder: a usual name of web roots in
 * its path, or a file of web roots in it (security rule 31).
 *
 * @returns Part of a sentence; `undefined` for none.
 */
export function webRootEvidence(folder: string): string | undefined {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  const name = [folder, real].flatMap((path) => path.split(/[/\\]/)).find((part) => names.test(part));
  if (name !== undefined) return `${folder} is below a folder called ${name}`;
  const file = files.find((one) => existsSync(join(folder, one)));
  return file === undefined ? undefined : `${file} lies in ${folder}`;
}

/**
 * Refuses to make a data folder by default where a web server may send it.
 *
 * @throws UsageError with the remedy, unless the data folder is there already.
 */
export function refuseWebRoot(data: string): void {
  const evidence = existsSync(data) ? undefined : webRootEvidence(dirname(data));
  if (evidence === undefined) return;
  throw new UsageError(
    `Keys must not lie where a web server could send them: ${evidence}. Name a data folder with --data or GANTRY_DATA.`,
  );
}

/**
 * Refuses to make a data folder by default below the folder of a site that has one: the command was
 * started in the wrong folder. A project of its own within another, as examples are, may have one.
 *
 * @throws UsageError with both folders, unless the data folder is there already.
 */
export function refuseSecondFolder(data: string): void {
  const holds = (folder: string, file: string) => existsSync(join(folder, file));
  if (holds(data, 'keys.json')) return;
  const isProject = (folder: string) => holds(folder, 'package.json') && !holds(folder, 'gadget.json');
  for (let folder = dirname(data); !isProject(folder) && folder !== dirname(folder); ) {
    folder = dirname(folder);
    const candidate = join(folder, basename(data));
    if (!holds(candidate, 'keys.json')) continue;
    throw new UsageError(
      `There is no data folder here, but one in ${folder}. Use it with --data ${candidate} (GANTRY_DATA), or make another with --data ${data}.`,
    );
  }
}
