import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import { generatedFile, mark } from './generated-file.ts';
import type { SiteContext } from './plan.ts';

/** Returns the first lines of the settings: the site's address and its data folder. */
export function environmentText({ url, dataName }: SiteContext): string {
  return `# ${mark}. Settings of Gantry and its keys: not for git, not for the web.
GANTRY_URL=${url}
GANTRY_DATA="${dataName}"
`;
}

/** Plans the file of the settings. `ownLine` tells a file of an earlier run. */
export function environmentFile({ project, env }: SiteContext, text: string, ownLine: RegExp): Change {
  return generatedFile(project, env.path, text, { isSecret: true, isOurs: (before) => ownLine.test(before) });
}

/** Returns the script that runs the command with the settings. */
export function gantryScript({ dataName, env: { name } }: SiteContext): { readonly gantry: string } {
  checkPath(dataName);
  const file = /\s/.test(name) ? `"${name}"` : name;
  return { gantry: `node --env-file=${file} node_modules/@gantry/cli/bin/gantry.js` };
}

/** Refuses a path with characters that a shell interprets: a script of package.json contains it. */
function checkPath(path: string): void {
  if (/^[\p{L}\p{N}_./\\: @+,-]+$/u.test(path)) return;
  throw new UsageError(
    `The path ${path} has characters that a script cannot name safely. Name another data folder with --data.`,
  );
}
