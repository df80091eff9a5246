import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
