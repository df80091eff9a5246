import { parseArgs } from 'node:util';
import { createAppAddresses, listApps } from '@gantry/proxy';
import { checkIsolation, configuration, kindOf, openDatabase, serverFlags, UsageError } from '@gantry/server';
import { checkAlterations } from '../check-alterations.ts';
import { checkPassage } from '../check-passage.ts';
import { checkPaths } from '../check-paths.ts';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry check`: does what keeps apps apart arrive in browsers, and what pages ask at the site? */
export const check: Command = {
  name: 'check',
  summary: 'Try through the public address what a reverse proxy lets through',
  help: `Usage: gantry check [--url URL] [--apps-host HOST]

Asks the running site through its public address what browsers ask, and says in one line each what a reverse proxy makes
of it: headers that keep apps apart, the Host, paths that do not reach Gantry or arrive rewritten, answers that are kept,
photos that are refused, cookies without SameSite, pages that admit scripts of apps, and events that it collects. Exit code 1 if there is something to mend. For events it needs a member: give the cookie of one who is signed in, as name=value, in
GANTRY_CHECK_COOKIE.

  --url URL         Public address (GANTRY_URL, default http://localhost:4400)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST), as for gantry serve
  --data, --database, --help

Only browsers find *.localhost: try apps hosts of development in one. docs/isolation.md says what is kept apart, and where.

Examples:
  gantry check
  gantry check --url https://social.example --apps-host '*.social-apps.example'`,
  run,
};

async function run(args: readonly string[], env: NodeJS.ProcessEnv, { out, err }: Output): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: serverFlags });
  const { url, port, appsHost, database } = configuration(values, env);
  const site = url ?? `http://localhost:${port}`;
  const db = await openDatabase(database);
  const [apps, kind] = await Promise.all([listApps(db), kindOf(db)]).finally(() => db.close());
  const app = apps.find(({ source }) => source.kind === 'served');
  if (!app) throw new UsageError('No app is registered whose page could be tried: gantry app add FOLDER.');
  const document = createAppAddresses({ siteOrigin: site, appsHost }).documentOf(app);
  const cookie = env.GANTRY_CHECK_COOKIE || undefined;
  const troubles = new Set([
    ...(await checkIsolation({ site, document })),
    ...(await checkPassage({ site, app: app.id, document, cookie })),
    ...(await checkAlterations({ site, pages: kind !== 'proxy' })),
    ...(await checkPaths({ site, ...(kind === 'proxy' && { only: ['/gantry'] as const }) })),
  ]);
  for (const line of troubles) err(line);
  if (troubles.size > 0) throw new Error(`To be mended at ${site}: ${troubles.size}.`);
  out(`What keeps apps apart at ${site} arrives, and what pages ask, tried with ${app.id}.`);
  if (cookie === undefined) out('Not tried: events. GANTRY_CHECK_COOKIE has to name a member for that.');
}
