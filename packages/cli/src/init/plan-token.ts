import { dirname, join, relative } from 'node:path/posix';
import type { Change } from '../project/change.ts';
import { environmentFile, environmentText, gantryScript } from './environment-file.ts';
import { flaskSessionKey, phpSessionKey } from './find-session.ts';
import { flaskViewer, wireFlask } from './flask.ts';
import { gadgetPage, refreshScript } from './gadget-page.ts';
import { generatedFile } from './generated-file.ts';
import { changePackageJson } from './package-json.ts';
import { phpPage, phpViewer } from './php.ts';
import type { SiteContext, SitePart } from './plan.ts';
import { caddyFile, gantryPort, nginxLocations } from './reverse-proxy.ts';

const serve = 'npm run gantry -- serve';

/** Plans the files for a PHP site. Its own files stay unchanged. */
export function planPhp(context: SiteContext): SitePart {
  const { project, found, env } = context;
  const root = found.entry === undefined ? '.' : dirname(found.entry);
  const page = join(root, 'gadgets.php');
  const viewer = relative(root, 'gantry-viewer.php');
  const key = phpSessionKey(project);
  return {
    ...tokenPart(context, [
      generatedFile(project, 'gantry-viewer.php', phpViewer(env.name)),
      generatedFile(project, page, phpPage({ viewer, sessionKey: key ?? 'member' })),
      generatedFile(project, 'gantry-nginx.conf', nginxLocations()),
    ]),
    notes: [memberNote(`$_SESSION['${key ?? 'member'}']`, key !== undefined, page)],
    start: [serve, 'nginx, with gantry-nginx.conf in the server block of the site'],
    page: '/gadgets.php',
  };
}

/** Plans the files for a Flask site, and two lines in the file that creates the app. */
export function planFlask(context: SiteContext): SitePart {
  const { project, found, url, env } = context;
  const entry = found.entry as string; // Flask is detected by it
  const text = project.read(entry) as string;
  const folder = dirname(entry);
  const key = flaskSessionKey(project);
  const path = join(folder, 'gantry_viewer.py');
  const up = folder === '.' ? 0 : folder.split('/').length;
  return {
    ...tokenPart(context, [
      { path: entry, before: text, after: wireFlask(entry, text) },
      generatedFile(project, path, flaskViewer({ sessionKey: key ?? 'member', up, envFile: env.name })),
      generatedFile(project, 'gadgets.html', gadgetPage(refreshScript)),
      generatedFile(project, 'gantry.Caddyfile', caddyFile({ url, sitePort: 5000 })),
    ]),
    notes: [memberNote(`session['${key ?? 'member'}']`, key !== undefined, path)],
    start: [serve, `flask --app ${entry.replace(/\/__init__\.py$/, '')} run`, 'caddy run --config gantry.Caddyfile'],
    page: '/gadgets.html',
  };
}

/** Plans the files for a site in any language. */
export function planOther(context: SiteContext): SitePart {
  const { project, url } = context;
  return {
    ...tokenPart(context, [
      generatedFile(project, 'gadgets.html', gadgetPage(refreshScript)),
      generatedFile(project, 'gantry-nginx.conf', nginxLocations()),
      generatedFile(project, 'gantry.Caddyfile', caddyFile({ url, sitePort: 8000 })),
    ]),
    notes: [
      'Your pages set the cookie gantry_viewer, a token that docs/guides/site-owner.md describes ("From another language").',
    ],
    start: [serve, 'your reverse proxy, with gantry-nginx.conf or gantry.Caddyfile'],
    page: '/gadgets.html',
  };
}

function tokenPart(context: SiteContext, changes: readonly Change[]): Omit<SitePart, 'start' | 'page' | 'notes'> {
  const settings = `${environmentText(context)}GANTRY_VIEWER_KEY=${context.newKey()}
GANTRY_TRUSTED_PROXIES=127.0.0.1
PORT=${gantryPort}
# Where members sign in, a path of the site:
# GANTRY_SIGN_IN_URL=/sign-in
`;
  return {
    changes: [
      ...changes,
      environmentFile(context, settings, /^GANTRY_VIEWER_KEY=\S/m),
      changePackageJson(context.project, { packages: ['@gantry/cli'], scripts: gantryScript(context) }),
    ],
    signIn: 'token',
  };
}

function memberNote(place: string, isFound: boolean, path: string): string {
  return isFound
    ? `${place} names the signed-in member, as in your code.`
    : `No session with a member was found: ${path} reads ${place}. Replace that by your own.`;
}
