import { parseArgs } from 'node:util';
import { createAppAddresses, listApps } from '@gantry/proxy';
import { checkIsolation } from '../check-isolation.ts';
import { configuration, serverFlags, UsageError } from '../configuration.ts';
import { openDatabase } from '../open-database.ts';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry check`: does isolation arrive in browsers? */
export const check: Command = {
  name: 'check',
  summary: 'Try through the public address whether apps are kept apart',
  help: `Usage: gantry check [--url URL] [--apps-host HOST]

Fetches the page of a registered app and the SDK from the running site, through its public address, and says in one line
each what a reverse proxy took away. Exit code 1 if there is something to mend.

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
  const apps = await listApps(db).finally(() => db.close());
  const app = apps.find(({ source }) => source.kind === 'served');
  if (!app) throw new UsageError('No app is registered whose page could be tried: gantry app add FOLDER.');
  const document = createAppAddresses({ siteOrigin: site, appsHost }).documentOf(app);
  const troubles = await checkIsolation({ site, document });
  for (const line of troubles) err(line);
  if (troubles.length > 0) throw new Error(`${troubles.length} of what keeps apps apart at ${site} is to be mended.`);
  out(`What keeps apps apart at ${site} arrives, tried with ${app.id}.`);
}
