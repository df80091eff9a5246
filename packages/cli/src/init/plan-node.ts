import { dirname, join } from 'node:path/posix';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';
import type { Script } from '../project/script.ts';
import { environmentFile, environmentText, gantryScript } from './environment-file.ts';
import { wireExpress } from './express.ts';
import { nodeSessionKey } from './find-session.ts';
import { gadgetPage } from './gadget-page.ts';
import { generatedFile } from './generated-file.ts';
import { isWired, type Wiring } from './insert-line.ts';
import { wireHttp } from './node-http.ts';
import { type MemberPlace, memberPlace, nodeModule } from './node-module.ts';
import { type ModuleForm, moduleForm, scriptsWith } from './node-source.ts';
import { changePackageJson, type PackageAdditions, readPackageJson } from './package-json.ts';
import type { Paste, SiteContext, SitePart } from './plan.ts';

/** Links to Gantry's sign-in and to the member's grants. */
const ownSignIn = `    <p>
      <a href="/account/sign-in?return=/gadgets.html">Sign in</a> ·
      <a href="/account/apps">What gadgets may do</a>
    </p>
`;

/** Plans Gantry as middleware of an Express app. */
export function planExpress(context: SiteContext): SitePart {
  const script = entryOf(context);
  const key = nodeSessionKey(context.project);
  const hasPassport = scriptsWith(context.project, /passport/).some(({ imports }) =>
    [...imports.values()].includes('passport'),
  );
  const form = moduleForm(context.project, script);
  const { hasSession, ...wiring } = wireExpress(script, form, key !== undefined || hasPassport);
  const member = hasSession ? memberPlace(key, hasPassport) : undefined;
  return nodePart(context, { form, ...wired(context, script, wiring), member, wraps: false });
}

/** Plans Gantry before the handler of a plain Node server. */
export function planHttp(context: SiteContext): SitePart {
  const script = entryOf(context);
  const form = moduleForm(context.project, script);
  return nodePart(context, { form, ...wired(context, script, wireHttp(script, form)), wraps: true });
}

/** Leaves a site that uses the module already as it is. */
function wired({ project }: SiteContext, { path, text }: Script, { after, paste }: Wiring) {
  const isDone = scriptsWith(project, /gantry/).some(isWired);
  return { entry: { path, before: text, after: isDone ? text : after }, pastes: paste && !isDone ? [paste] : [] };
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
import { addGantry } from './gantry.mjs';

const port = Number(process.env.PORT ?? ${port});
const site = next({ dev: process.argv.includes('--dev'), port });
await site.prepare();
addGantry(createServer(site.getRequestHandler())).listen(port, () => {
  console.log(\`Ready at http://localhost:\${port}\`);
});
`;
}

interface NodePart {
  readonly form: ModuleForm;
  /** The file that uses the module. */
  readonly entry: Change;
  readonly pastes?: readonly Paste[];
  readonly member?: MemberPlace | undefined;
  readonly wraps: boolean;
}

function nodePart(
  context: SiteContext,
  { form, entry, pastes = [], member, wraps }: NodePart,
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
    notes: [
      member
        ? `${path} takes the signed-in member by a guess: ${member.guess}.`
        : `No session was found, so members sign in at /account: to use the site's own sign-in, give createGantry a \`viewer\` in ${path}.`,
    ],
    pastes,
    start: [startCommand(project, entry.path)],
    page: '/gadgets.html',
  };
}

function entryOf({ project, found }: SiteContext): Script {
  return project.script(found.entry as string) as Script;
}

function startCommand(project: Project, entry: string): string {
  const scripts = readPackageJson(project)?.scripts ?? {};
  if (scripts.dev !== undefined) return 'npm run dev';
  return scripts.start === undefined ? `node ${/^[\w./-]+$/.test(entry) ? entry : JSON.stringify(entry)}` : 'npm start';
}
