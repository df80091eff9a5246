import { dirname, join } from 'node:path/posix';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import { maskJavaScript } from '../project/mask-code.ts';
import type { Project } from '../project/project.ts';
import { environmentFile, environmentText, gantryScript } from './environment-file.ts';
import { expressSpot, isWired, wireExpress } from './express.ts';
import { nodeSessionKey } from './find-session.ts';
import { gadgetPage } from './gadget-page.ts';
import { generatedFile } from './generated-file.ts';
import { wireHttp } from './node-http.ts';
import { type MemberPlace, memberPlace, nodeModule } from './node-module.ts';
import { type ModuleForm, moduleForm, type NodeSource } from './node-source.ts';
import { changePackageJson, type PackageAdditions, readPackageJson } from './package-json.ts';
import type { SiteContext, SitePart } from './plan.ts';

/** Links to Gantry's sign-in and to the member's grants. */
const ownSignIn = `    <p>
      <a href="/account/sign-in?return=/gadgets.html">Sign in</a> ·
      <a href="/account/apps">What gadgets may do</a>
    </p>
`;

/** Plans Gantry as middleware of an Express app. */
export function planExpress(context: SiteContext): SitePart {
  const { project } = context;
  const source = entryOf(context);
  const { path, text } = source;
  const form = moduleForm(project, source);
  const key = nodeSessionKey(project);
  const spot = isWired(source.code) ? undefined : expressSpot(source);
  const hasSession = spot ? spot.hasSession || spot.hasPassport : key !== undefined;
  const member = hasSession ? memberPlace(key, { hasPassport: spot?.hasPassport ?? false }) : undefined;
  const notes = !hasSession && key !== undefined ? [noSession(path, key)] : [];
  const entry = { path, before: text, after: wireExpress(source, form) };
  return { ...nodePart(context, { form, entry, member, wraps: false }), notes };
}

/** Plans Gantry around the handler of a plain Node server. */
export function planHttp(context: SiteContext): SitePart {
  const source = entryOf(context);
  const form = moduleForm(context.project, source);
  const entry = { path: source.path, before: source.text, after: wireHttp(source, form) };
  return nodePart(context, { form, entry, wraps: true });
}

/** Scripts that start the server around Next.js. */
const nextScripts = { dev: 'node server.mjs --dev', start: 'node server.mjs' } as const;

/** Plans a server around Next.js. */
export function planNext(context: SiteContext): SitePart {
  const { project, found, url } = context;
  if (found.entry !== undefined && found.entry !== 'server.mjs') return planHttp(context);
  const scripts = readPackageJson(project)?.scripts ?? {};
  const isReplaced = /^(next (dev|start)\b|node server\.mjs( --dev)?$)/;
  const foreign = Object.keys(nextScripts).find((name) => !isReplaced.test(scripts[name] ?? 'next dev'));
  if (foreign !== undefined) {
    throw new UsageError(
      `The script ${foreign} of package.json is not recognized: ${JSON.stringify(scripts[foreign])}. Change it to "next ${foreign}", which gantry init replaces by "node server.mjs".`,
    );
  }
  const form: ModuleForm = { extension: '.mjs', isTypeScript: false, hasImports: true, importEnding: '.mjs' };
  const entry = generatedFile(project, 'server.mjs', nextServer(Number(new URL(url).port) || 3000));
  const additions = { scripts: nextScripts, replace: ['dev', 'start'] };
  return { ...nodePart(context, { form, entry, wraps: true }, additions), start: ['npm run dev'] };
}

/** Returns the server around Next.js, behind Gantry: Next rewrites signed targets. */
function nextServer(port: number): string {
  return `// Made by gantry init: Next.js with Gantry in front. The file is yours; change what you like.
import { createServer } from 'node:http';
import next from 'next';
import { withGantry } from './gantry.mjs';

const port = Number(process.env.PORT ?? ${port});
const site = next({ dev: process.argv.includes('--dev'), port });
await site.prepare();
createServer(withGantry(site.getRequestHandler())).listen(port, () => {
  console.log(\`Ready at http://localhost:\${port}\`);
});
`;
}

interface Wiring {
  readonly form: ModuleForm;
  /** The file that uses the module. */
  readonly entry: Change;
  readonly member?: MemberPlace | undefined;
  readonly wraps: boolean;
}

function nodePart(
  context: SiteContext,
  { form, entry, member, wraps }: Wiring,
  additions: Omit<PackageAdditions, 'packages'> = {},
): SitePart {
  const { project, url, dataName, env } = context;
  const path = join(dirname(entry.path), `gantry${form.extension}`);
  // Commands find a data folder outside of the project by a script, as in other languages.
  const isOutside = env.path !== env.name;
  const scripts = isOutside ? { ...gantryScript(context), ...additions.scripts } : additions.scripts;
  return {
    changes: [
      entry,
      generatedFile(project, path, nodeModule({ form, url, member, wraps, data: dataName })),
      generatedFile(project, 'gadgets.html', gadgetPage(member === undefined ? ownSignIn : '')),
      ...(isOutside ? [environmentFile(context, environmentText(context), /^GANTRY_DATA=/m)] : []),
      changePackageJson(project, {
        packages: ['@gantry/cli', '@gantry/server'],
        ...additions,
        ...(scripts && { scripts }),
      }),
    ],
    signIn: member === undefined ? 'gantry' : 'session',
    notes: [],
    start: [startCommand(project, entry.path)],
    page: '/gadgets.html',
  };
}

function entryOf({ project, found }: SiteContext): NodeSource {
  const path = found.entry as string;
  const text = project.read(path) as string; // it was read when it was found
  return { path, text, ...maskJavaScript(text) };
}

function startCommand(project: Project, entry: string): string {
  const scripts = readPackageJson(project)?.scripts ?? {};
  if (scripts.dev !== undefined) return 'npm run dev';
  return scripts.start === undefined ? `node ${/^[\w./-]+$/.test(entry) ? entry : JSON.stringify(entry)}` : 'npm start';
}

function noSession(path: string, key: string): string {
  return `Code of the site stores ${key} in a session, but ${path} uses no known session middleware: members sign in at Gantry's own pages until gantry.js has a viewer.`;
}
