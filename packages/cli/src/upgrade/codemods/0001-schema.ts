import { existsSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { jsonProblem } from '@gantry/proxy';
import type { Change } from '../../project/change.ts';
import { insert } from '../../project/edit-text.ts';
import type { Project } from '../../project/project.ts';
import type { Codemod } from '../codemod.ts';

const schemaFile = 'node_modules/@gantry/cli/gadget.schema.json';

/** Adds `$schema` to each `gadget.json` without one, so that editors complete and check it. */
export const schema: Codemod = {
  name: '0001-schema',
  summary: 'gadget.json names its schema: editors complete and check it',
  plan(project, settings) {
    const changes: Change[] = [];
    const problems: string[] = [];
    for (const path of project.files.filter((file) => posix.basename(file) === 'gadget.json')) {
      const before = project.read(path) ?? '';
      const reason = obstacleIn(before);
      const address = settings.schema ?? installedSchema(project, path);
      if (reason === 'done') continue;
      if (reason !== undefined) problems.push(`${path} ${reason}.`);
      else if (address === undefined) problems.push(`${path}: ${noSchema}`);
      else changes.push({ path, before, after: withSchema(before, address) });
    }
    return { changes, problems };
  },
};

const noSchema =
  "no @gantry/cli with a schema is installed. npm install --save-dev @gantry/cli, or name a site's schema with --schema https://your.site/gantry/manifest.schema.json.";

function obstacleIn(text: string): string | undefined {
  const json = text.replace(/^\uFEFF/, '');
  const bad = jsonProblem(json);
  if (bad) return `is not JSON at ${bad.line}:${bad.column}: ${bad.problem}`;
  const content: unknown = JSON.parse(json);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'is no JSON object';
  if (Object.keys(content).length === 0) return 'is empty';
  return '$schema' in content ? 'done' : undefined;
}

/** Finds the installed schema, as a path from the manifest: editors need no site. */
function installedSchema({ folder }: Project, path: string): string | undefined {
  const start = join(folder, dirname(path));
  for (let place = start; ; place = dirname(place)) {
    const file = join(place, schemaFile);
    if (existsSync(file)) return `./${relative(start, file).replaceAll('\\', '/')}`.replace(/^\.\/\.\.\//, '../');
    if (place === dirname(place)) return undefined;
  }
}

/** Inserts the member first, formatted as the previous first one. */
function withSchema(text: string, address: string): string {
  const at = text.indexOf('{') + 1;
  const space = /^\s*/.exec(text.slice(at))?.[0].replaceAll('\r\n', '\n') ?? '';
  return insert(text, [{ at, text: `${space}"$schema": ${JSON.stringify(address)},${space === '' ? ' ' : ''}` }]);
}
