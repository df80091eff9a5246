import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { configuration, dataFlags, UsageError } from '@gantry/server';
import { askLine } from 'create-gantry';
import { type Command, onlyFolder, withFlags } from '../command.ts';
import { dataHome } from '../init/data-place.ts';
import { initProject, type SiteCheck } from '../init/init-project.ts';
import { type Framework, frameworks } from '../init/plan.ts';
import { check } from './check.ts';

const options = {
  ...dataFlags,
  framework: { type: 'string' },
  entry: { type: 'string' },
  url: { type: 'string' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean', default: false },
} as const;

export const init: Command = {
  name: 'init',
  summary: 'Add Gantry to a site: detect its framework, show the changes, write them',
  help: `Usage: gantry init [FOLDER] [--framework NAME] [--entry FILE] [--url URL] [--yes | --dry-run] [--json]

Detects the site's framework, shows all changes as one diff, and asks once before it writes: a module that puts Gantry in
front of the site and names the signed-in member, two starter gadgets in gadgets/, a page that shows them, and a data folder
with keys, readable by its owner only. Keys are never printed. A script of the site gets one line, and its import, only
where the place is certain; otherwise, and in PHP and Python, the lines to insert are printed with file and line. A second
run changes nothing. At its end it runs gantry check on the site if that runs at --url, else all checks that need no running site.

  FOLDER            The site's folder, with its package.json (default: this one)
  --framework NAME  ${frameworks.join(', ')}. Absent: detected, or asked for at a terminal
  --entry FILE      The file that creates the app or the server, if several do
  --url URL         Public address (GANTRY_URL; default http://localhost with the port that scripts or code name)
  --data DIR        Data folder with all keys (GANTRY_DATA). Default: .gantry in FOLDER if only the site's code serves it. If
                    a web server may send its files, a folder in $XDG_DATA_HOME or ~/.local/share: asked for at a
                    terminal; --yes needs --data, unless FOLDER is a web root for certain
  --yes             Write without asking
  --dry-run         Show the changes and write nothing
  --json            Print one object: found, changes, pastes, notes, written, problems, next
  --help

Exit codes:
  0  written, or nothing to do, or --dry-run
  1  failed, or a check found problems; if writing failed, nothing was changed
  2  usage error; nothing was written
  3  the changes were shown and not written: no terminal and no --yes, or the answer was no

Examples:
  gantry init
  gantry init ./shop --entry src/server.js --url http://localhost:8080
  gantry init --framework php --dry-run
  gantry init --yes --data ~/.local/share/gantry/shop
  gantry init --yes --json`,
  run: withFlags({ options }, async ({ values, positionals, env, output }) => {
    const folder = onlyFolder(positionals, 'init');
    const { json, yes, 'dry-run': isDry } = values;
    if (yes && isDry) throw new UsageError('Use either --yes or --dry-run.');
    const { url, database } = configuration({ ...values, data: values.data ?? '.' }, env);
    const hasDatabase = values.database !== undefined || Boolean(env.GANTRY_DATABASE);
    const data = values.data ?? (env.GANTRY_DATA || undefined);
    await initProject({
      folder,
      framework: frameworkOf(values.framework),
      entry: values.entry?.replaceAll('\\', '/').replace(/^\.\//, ''),
      url,
      data: data === undefined ? undefined : resolve(data),
      mode: isDry ? 'show' : yes ? 'write' : 'ask',
      json,
      ask: process.stdin.isTTY && !json ? askLine : undefined,
      home: dataHome(env),
      output,
      newKey: () => randomBytes(32).toString('base64url'),
      ...(hasDatabase && { database }),
      checkSite: (flags) => checkSite(flags, env),
    });
  }),
};

async function checkSite(flags: readonly string[], env: NodeJS.ProcessEnv): Promise<SiteCheck> {
  const passed: string[] = [];
  const problems: string[] = [];
  const output = { out: (line: string) => passed.push(line), err: (line: string) => problems.push(line) };
  await check.run(flags, env, output).catch((error: Error) => {
    if (problems.length === 0) problems.push(error.message);
  });
  return { passed, problems };
}

function frameworkOf(name: string | undefined): Framework | undefined {
  const framework = frameworks.find((one) => one === name);
  if (framework === name) return framework;
  throw new UsageError(`--framework takes ${frameworks.join(', ')}, not ${JSON.stringify(name)}.`);
}
