import { dirname } from 'node:path/posix';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import { maskJavaScript } from '../project/mask-code.ts';
import { expressSpot, isWired, wireExpress } from './express.ts';
import { nodeSessionKey } from './find-session.ts';
import { gadgetPage } from './gadget-page.ts';
import { generatedFile } from './generated-file.ts';
import { nextScripts, nextServer } from './next-server.ts';
import { wireHttp } from './node-http.ts';
import { type MemberPlace, memberPlace, nodeModule } from './node-module.ts';
import { type ModuleForm, moduleForm, type NodeSource } from './node-source.ts';
import { changePackageJson, ownDependencies, readPackageJson } from './package-json.ts';
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
  const form = moduleForm(project, source);
  const key = nodeSessionKey(project);
  const spot = isWired(source.code) ? undefined : expressSpot(source);
  const hasSession = spot ? spot.hasSession || spot.hasPassport : key !== undefined;
  const member = hasSession ? memberPlace(key, { hasPassport: spot?.hasPassport ?? false }) : undefined;
  const notes = !hasSession && key !== undefined ? [noSession(source.path, key)] : [];
  return { ...nodePart(context, { source, form, after: wireExpress(source, form), member, wraps: false }), notes };
}

/** Plans Gantry around the handler of a plain Node server. */
export function planHttp(context: SiteContext): SitePart {
  const source = entryOf(context);
  const form = moduleForm(context.project, source);
  return nodePart(context, { source, form, after: wireHttp(source, form), member: undefined, wraps: true });
}

/** Plans a server around Next.js. */
export function planNext(context: SiteContext): SitePart {
  const { project, found, url } = context;
  if (found.entry !== undefined && found.entry !== 'server.mjs') {
    const source = entryOf(context);
    const form = moduleForm(project, source);
    return nodePart(context, { source, form, after: wireHttp(source, form), member: undefined, wraps: true });
  }
  const form: ModuleForm = { extension: '.mjs', isTypeScript: false, hasImports: true, importEnding: '.mjs' };
  const scripts = readPackageJson(project)?.scripts ?? {};
  const foreign = Object.keys(nextScripts).find(
    (name) => scripts[name] !== undefined && !/^next (dev|start)\b/.test(scripts[name]) && !isOurs(scripts[name]),
  );
  if (foreign !== undefined) {
    throw new UsageError(
      `The script ${foreign} of package.json is not recognized: ${JSON.stringify(scripts[foreign])}. Change it to "next ${foreign}", which gantry init replaces by "node server.mjs".`,
    );
  }
  return {
    changes: [
      generatedFile(project, 'server.mjs', nextServer(Number(new URL(url).port) || 3000)),
      ...ownFiles(context, form, { folder: '', member: undefined, wraps: true }),
      changePackageJson(project, {
        scripts: nextScripts,
        replace: ['dev', 'start'],
        dependencies: dependencies(context),
      }),
    ],
    signIn: 'gantry',
    notes: [],
    start: ['npm run dev'],
    page: '/gadgets.html',
  };
}

function isOurs(script: string): boolean {
  return Object.values<string>(nextScripts).includes(script);
}

interface Wiring {
  readonly source: NodeSource;
  readonly form: ModuleForm;
  /** Text of the entry with Gantry added. */
  readonly after: string;
  readonly member: MemberPlace | undefined;
  readonly wraps: boolean;
}

function nodePart(context: SiteContext, { source, form, after, member, wraps }: Wiring): SitePart {
  const { project } = context;
  const folder = dirname(source.path);
  const wired: Change = { path: source.path, before: source.text, after };
  return {
    changes: [
      wired,
      ...ownFiles(context, form, { folder: folder === '.' ? '' : `${folder}/`, member, wraps }),
      changePackageJson(project, { dependencies: dependencies(context) }),
    ],
    signIn: member === undefined ? 'gantry' : 'session',
    notes: [],
    start: [startCommand(context, source.path)],
    page: '/gadgets.html',
  };
}

function ownFiles(
  { project, url, dataName }: SiteContext,
  form: ModuleForm,
  {
    folder,
    member,
    wraps,
  }: { readonly folder: string; readonly member: MemberPlace | undefined; readonly wraps: boolean },
): readonly Change[] {
  const path = `${folder}gantry${form.extension}`;
  return [
    generatedFile(project, path, nodeModule({ form, url, member, wraps, data: dataName })),
    generatedFile(project, 'gadgets.html', gadgetPage(member === undefined ? ownSignIn : '')),
  ];
}

function dependencies({ project, version }: SiteContext): Readonly<Record<string, string>> {
  return ownDependencies(readPackageJson(project), ['@gantry/cli', '@gantry/server'], version);
}

function entryOf({ project, found }: SiteContext): NodeSource {
  const path = found.entry as string;
  const text = project.read(path) as string; // it was read when it was found
  return { path, text, ...maskJavaScript(text) };
}

function startCommand({ project }: SiteContext, entry: string): string {
  const scripts = readPackageJson(project)?.scripts ?? {};
  if (scripts.dev !== undefined) return 'npm run dev';
  return scripts.start === undefined ? `node ${/^[\w./-]+$/.test(entry) ? entry : JSON.stringify(entry)}` : 'npm start';
}

function noSession(path: string, key: string): string {
  return `Code of the site stores ${key} in a session, but ${path} uses no known session middleware: members sign in at Gantry's own pages until gantry.js has a viewer.`;
}
