import { dirname, join, relative } from 'node:path/posix';
import { UsageError } from '@gantry/server';
import { envFile } from './env-file.ts';
import { flaskSessionKey, phpSessionKey } from './find-session.ts';
import { flaskRefresh, flaskViewer, wireFlask } from './flask.ts';
import { gadgetPage } from './gadget-page.ts';
import { madeFile } from './made-file.ts';
import { changePackageJson, ownDependencies, readPackageJson } from './package-json.ts';
import { phpPage, phpViewer } from './php.ts';
import type { Change } from './plan.ts';
import type { SiteContext, SitePart } from './plan-site.ts';
import { caddyFile, nginxLocations } from './reverse-proxy.ts';

const serve = 'npm run gantry -- serve';

/** Plans the parts of a PHP site. Its own files stay as they are. */
export function planPhp(context: SiteContext): SitePart {
  const { project, found, envPath } = context;
  const root = found.entry === undefined ? '.' : dirname(found.entry);
  const page = join(root, 'gadgets.php');
  const viewer = relative(root, 'gantry-viewer.php');
  const key = phpSessionKey(project);
  return {
    ...tokenPart(context, [
      madeFile(project, 'gantry-viewer.php', phpViewer(envPath)),
      madeFile(project, page, phpPage({ viewer, sessionKey: key ?? 'member' })),
      madeFile(project, 'gantry-nginx.conf', nginxLocations()),
    ]),
    notes: [memberNote(`$_SESSION['${key ?? 'member'}']`, key !== undefined, page)],
    start: [serve, 'nginx, with gantry-nginx.conf in the server block of the site'],
    page: '/gadgets.php',
  };
}

/** Plans the parts of a Flask site, and two lines in the file that makes the app. */
export function planFlask(context: SiteContext): SitePart {
  const { project, found, url } = context;
  const entry = found.entry as string; // Flask is found by it
  const text = project.read(entry) as string;
  const folder = dirname(entry);
  const key = flaskSessionKey(project);
  const path = join(folder, 'gantry_viewer.py');
  const up = folder === '.' ? 0 : folder.split('/').length;
  return {
    ...tokenPart(context, [
      { path: entry, before: text, after: wireFlask(entry, text) },
      madeFile(project, path, flaskViewer({ sessionKey: key ?? 'member', up })),
      madeFile(project, 'gadgets.html', gadgetPage(flaskRefresh)),
      madeFile(project, 'gantry.Caddyfile', caddyFile({ url, sitePort: 5000 })),
    ]),
    notes: [memberNote(`session['${key ?? 'member'}']`, key !== undefined, path)],
    start: [serve, `flask --app ${entry.replace(/\/__init__\.py$/, '')} run`, 'caddy run --config gantry.Caddyfile'],
    page: '/gadgets.html',
  };
}

/** Plans the parts that a site in any language needs. */
export function planOther(context: SiteContext): SitePart {
  const { project, url } = context;
  return {
    ...tokenPart(context, [
      madeFile(project, 'gadgets.html', gadgetPage(flaskRefresh)),
      madeFile(project, 'gantry-nginx.conf', nginxLocations()),
      madeFile(project, 'gantry.Caddyfile', caddyFile({ url, sitePort: 8000 })),
    ]),
    notes: [
      'Your pages set the cookie gantry_viewer, a token that docs/guides/site-owner.md describes ("From another language").',
    ],
    start: [serve, 'your reverse proxy, with gantry-nginx.conf or gantry.Caddyfile'],
    page: '/gadgets.html',
  };
}

function tokenPart(
  { project, url, dataName, envPath, newKey, version }: SiteContext,
  changes: readonly Change[],
): Omit<SitePart, 'start' | 'page' | 'notes'> {
  checkPath(dataName);
  const script = `node --env-file=${/\s/.test(envPath) ? `"${envPath}"` : envPath} node_modules/@gantry/cli/bin/gantry.js`;
  const env = envFile({ url, data: dataName, key: newKey() });
  return {
    changes: [
      ...changes,
      madeFile(project, envPath, env, { isSecret: true, isOurs: (text) => /^GANTRY_VIEWER_KEY=\S/m.test(text) }),
      changePackageJson(project, {
        scripts: { gantry: script },
        dependencies: ownDependencies(readPackageJson(project), ['@gantry/cli'], version),
      }),
    ],
    signIn: 'token',
  };
}

/** Refuses what a shell would take for more than a name: a script of package.json has the path in it. */
function checkPath(path: string): void {
  if (/^[\p{L}\p{N}_./\\: @+,-]+$/u.test(path)) return;
  throw new UsageError(
    `The path ${path} has characters that a script cannot name safely. Name another data folder with --data.`,
  );
}

function memberNote(place: string, isFound: boolean, path: string): string {
  return isFound
    ? `Members are who ${place} says, as in your code.`
    : `No session was found that keeps a member: ${path} reads ${place}. Put the place of yours there.`;
}
