import { dirname, join, relative } from 'node:path/posix';
import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';
import { environmentFile, environmentText, gantryScript } from './environment-file.ts';
import { flaskSessionKey, matchesIn, phpSessionKey, type SessionKey } from './find-session.ts';
import { flaskPaste, flaskViewer } from './flask.ts';
import { gadgetPage, refreshScript } from './gadget-page.ts';
import { generatedFile } from './generated-file.ts';
import { changePackageJson } from './package-json.ts';
import { phpPage, phpViewer } from './php.ts';
import type { Paste, SiteContext, SitePart } from './plan.ts';
import { caddyFile, gantryPort, nginxLocations } from './reverse-proxy.ts';

const serve = 'npm run gantry -- serve';

/** Plans the files for a PHP site. Its own files stay unchanged. */
export function planPhp(context: SiteContext): SitePart {
  const { project, env } = context;
  const { entry = '' } = context.found;
  const root = dirname(entry);
  const page = join(root, 'gadgets.php');
  const viewer = relative(root, 'gantry-viewer.php');
  const session = phpSessionKey(project);
  const key = session?.key ?? 'member';
  return {
    ...tokenPart(context, [
      generatedFile(project, 'gantry-viewer.php', phpViewer(env.name)),
      generatedFile(project, page, phpPage({ viewer, sessionKey: key })),
      generatedFile(project, 'gantry-nginx.conf', nginxLocations()),
    ]),
    notes: [guessNote(`$_SESSION['${key}']`, session, page)],
    pastes: signOutPastes(project),
    start: [serve, 'nginx, with gantry-nginx.conf in the server block of the site'],
    page: '/gadgets.php',
  };
}

/** Returns the lines for the places at which a session ends, unless they are there. */
function signOutPastes(project: Project): readonly Paste[] {
  const ends = matchesIn(project, /\.php$/, /\bsession_destroy\s*\(/g);
  return ends.flatMap(({ path, line }) => {
    if (project.read(path)?.includes('gantry_send_viewer')) return [];
    const file = relative(dirname(path), 'gantry-viewer.php');
    const lines = [`require_once __DIR__ . '/${file}';`, 'gantry_send_viewer(null);'];
    return [{ path, line, where: 'at the sign-out', lines }];
  });
}

/** Plans the files for a Flask site. Its own files stay unchanged. */
export function planFlask(context: SiteContext): SitePart {
  const { project, url, env } = context;
  const entry = context.found.entry as string; // Flask is detected by it
  const text = project.read(entry) as string;
  const folder = dirname(entry);
  const session = flaskSessionKey(project);
  const key = session?.key ?? 'member';
  const paste = flaskPaste(entry, text);
  const path = join(folder, 'gantry_viewer.py');
  const up = folder === '.' ? 0 : folder.split('/').length;
  return {
    ...tokenPart(context, [
      generatedFile(project, path, flaskViewer({ sessionKey: key, up, envFile: env.name })),
      generatedFile(project, 'gadgets.html', gadgetPage(refreshScript)),
      generatedFile(project, 'gantry.Caddyfile', caddyFile({ url, sitePort: 5000 })),
    ]),
    notes: [guessNote(`session['${key}']`, session, path)],
    pastes: paste ? [paste] : [],
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
    pastes: [],
    page: '/gadgets.html',
  };
}

function tokenPart(
  context: SiteContext,
  changes: readonly Change[],
): Omit<SitePart, 'start' | 'page' | 'notes' | 'pastes'> {
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

function guessNote(place: string, session: SessionKey | undefined, path: string): string {
  const evidence = session ? `as in ${session.path}:${session.line}` : 'which no code assigns';
  return `${path} takes the signed-in member by a guess: ${place}, ${evidence}.`;
}
