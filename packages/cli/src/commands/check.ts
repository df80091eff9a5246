import { existsSync } from 'node:fs';
import { createAppAddresses, listApps } from '@gantry/proxy';
import {
  checkIsolation,
  configuration,
  databaseKind,
  isPostgres,
  openDatabase,
  openSiteBucket,
  serverFlags,
  UsageError,
} from '@gantry/server';
import { type Command, withFlags } from '../command.ts';
import { checkPageCalls } from '../site-check/check-page-calls.ts';
import { checkPaths } from '../site-check/check-paths.ts';
import { checkProxyChanges } from '../site-check/check-proxy-changes.ts';
import { checkSecrets } from '../site-check/check-secrets.ts';
import { liveFolderWarnings } from '../site-check/live-folders.ts';

/** `gantry check`: tests whether a reverse proxy passes everything on. */
export const check: Command = {
  name: 'check',
  summary: 'Check through the public address what a reverse proxy changes',
  help: `Usage: gantry check [--url URL] [--apps-host HOST]

Sends the requests of browsers to the running site through its public address, and prints a line for each problem:
missing headers that isolate apps, a changed Host, paths that do not reach Gantry or arrive rewritten, cached responses,
refused photos, cookies without SameSite, pages whose policy allows scripts of apps, and buffered events. It also asks
for the files with the site's keys, which no web server may send, and warns of apps that are served from a live folder.
A bucket (GANTRY_BUCKET) has to answer this machine. Exit code 1 if there are problems. To test events, set
GANTRY_CHECK_COOKIE to the cookie of a signed-in member, as name=value.

  --url URL         Public address (GANTRY_URL, default http://localhost:4400)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST), as for gantry serve
  --data, --database, --help

Only browsers resolve *.localhost: test such apps hosts in one. docs/isolation.md describes the isolation of apps.

Examples:
  gantry check
  gantry check --url https://social.example --apps-host '*.social-apps.example'`,
  run: withFlags({ options: serverFlags, allowPositionals: false }, async ({ values, env, output: { out, err } }) => {
    const { url, port, appsHost, data, database, bucket } = configuration(values, env);
    const site = url ?? `http://localhost:${port}`;
    const open = await checkSecrets({ site, data, folder: process.cwd() });
    for (const line of open) err(line); // even if this machine cannot open the site
    if (!isPostgres(database) && !existsSync(database)) {
      throw new UsageError(`There is no database at ${database}. Name the site's with --data or --database.`);
    }
    const db = await openDatabase(database);
    const [apps, kind] = await Promise.all([listApps(db), databaseKind(db)]).finally(() => db.close());
    for (const line of liveFolderWarnings(apps, site)) err(line);
    const app = apps.find(({ source }) => source.kind !== 'remote');
    if (!app) throw new UsageError('No served app is registered to check with: gantry app add FOLDER.');
    const document = createAppAddresses({ siteOrigin: site, appsHost }).documentOf(app);
    const cookie = env.GANTRY_CHECK_COOKIE || undefined;
    const problems = new Set([
      ...(await bucketProblems(bucket)),
      ...(await checkIsolation({ site, document })),
      ...(await checkPageCalls({ site, app: app.id, document, cookie })),
      ...(await checkProxyChanges({ site, pages: kind !== 'proxy' })),
      ...(await checkPaths({ site, ...(kind === 'proxy' && { only: ['/gantry'] }) })),
    ]);
    for (const line of problems) err(line);
    const count = problems.size + open.length;
    if (count > 0) throw new Error(`Problems at ${site}: ${count}.`);
    out(`No problem found at ${site}, checked with ${app.id}.`);
    if (cookie === undefined)
      out('Not checked: events. Set GANTRY_CHECK_COOKIE to the cookie of a signed-in member for that.');
  }),
};

async function bucketProblems(bucket: string | undefined): Promise<readonly string[]> {
  return openSiteBucket({ bucket }).then(
    () => [],
    (error: Error) => [error.message],
  );
}
