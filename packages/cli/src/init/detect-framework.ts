import { dirname, join, relative } from 'node:path/posix';
import { UsageError } from '@gantry/server';
import type { Project } from '../project/project.ts';
import { callsOf, type Script } from '../project/script.ts';
import { expressOrigin } from './express.ts';
import { fastifyOrigin, serverOrigin } from './node-http.ts';
import { scriptPaths } from './node-source.ts';
import { readPackageJson } from './package-json.ts';
import type { Found, Framework } from './plan.ts';

/**
 * Detects the framework of a site from its files.
 *
 * @param options.framework The one to look for. Default: the first that is found.
 * @param options.entry The file that creates the app, if it is not found or there are several.
 * @returns `undefined` if there is no evidence for any.
 * @throws UsageError for a known but unsupported kind of site, and for ambiguous evidence.
 */
export function detectFramework(
  project: Project,
  { framework, entry }: { readonly framework?: Framework | undefined; readonly entry?: string | undefined } = {},
): Found | undefined {
  if (entry !== undefined && project.read(entry) === undefined) {
    throw new UsageError(`--entry ${entry} is not a text file of the project.`);
  }
  const finders: Readonly<Record<Framework, () => Found | undefined>> = {
    next: () => findNext(project),
    express: () => findExpress(project, entry),
    node: () => findHttp(project, entry),
    flask: () => findFlask(project, entry),
    php: () => findPhp(project, entry),
    other: () => undefined,
  };
  if (framework !== undefined) return inOwnPackage(project, finders[framework]() ?? foundByFlag(framework, entry));
  // Express and Next are built on Node's own server, so they come first.
  const node = (entry === undefined ? finders.next() : undefined) ?? finders.express() ?? finders.node();
  const sites = [node, finders.flask()].filter((one) => one !== undefined);
  const php = finders.php();
  if (php && (sites.length === 0 || (entry === undefined && php.entry !== undefined))) sites.push(php);
  if (sites.length > 1) {
    const all = sites.map(({ framework: name, reason }) => `${name} (${reason})`).join(' and ');
    throw new UsageError(`The project looks like ${all}. Choose the site's with --framework.`);
  }
  return sites[0] && inOwnPackage(project, sites[0]);
}

/** Refuses a file of a package below, such as an npm workspace: it is started in that folder. */
function inOwnPackage({ folder, files }: Project, found: Found): Found {
  const { entry = '' } = found;
  const below = files.find((path) => /\/package\.json$/.test(path) && entry.startsWith(`${dirname(path)}/`));
  if (below === undefined || !['express', 'node', 'next'].includes(found.framework)) return found;
  const home = dirname(below);
  throw new UsageError(
    `${entry} is started in ${home}, which has a package.json of its own. Run gantry init ${join(folder, home)} --entry ${relative(home, entry)}.`,
  );
}

function foundByFlag(framework: Framework, entry: string | undefined): Found {
  if (framework === 'php' || framework === 'other' || framework === 'next') {
    return { framework, reason: 'set by --framework', ...(entry !== undefined && { entry }) };
  }
  throw new UsageError(`No file was found that creates the ${framework} app. Name it with --entry FILE.`);
}

function findNext(project: Project): Found | undefined {
  if (!dependsOn(project, 'next')) return undefined;
  const folder = ['app', 'src/app', 'pages', 'src/pages'].find((one) =>
    project.files.some((path) => path.startsWith(`${one}/`)),
  );
  const server = only(project, undefined, {
    words: /next/,
    fits: ({ imports }) => [...imports.values()].includes('next'),
  });
  const where = folder === undefined ? '' : ` and has ${folder}/`;
  const reason = `package.json depends on next${where}; ${server ?? 'nothing'} is its own server`;
  return { framework: 'next', ...(server !== undefined && { entry: server }), reason };
}

function findExpress(project: Project, entry: string | undefined): Found | undefined {
  const path = only(project, entry, {
    words: /express/,
    fits: (script) => callsOf(script, expressOrigin).length > 0,
    what: 'an Express app',
  });
  return path === undefined ? undefined : { framework: 'express', entry: path, reason: `${path} imports it` };
}

function findHttp(project: Project, entry: string | undefined): Found | undefined {
  const makesServer = (script: Script) => callsOf(script, serverOrigin).length > 0;
  const path = only(project, entry, { words: /createServer/, fits: makesServer });
  if (path !== undefined) return { framework: 'node', entry: path, reason: `${path} calls createServer of node:http` };
  const fits = (script: Script) => callsOf(script, fastifyOrigin).length > 0;
  const fastify = only(project, entry, { words: /fastify/, fits });
  return fastify ? { framework: 'node', entry: fastify, reason: `${fastify} makes a server by Fastify` } : undefined;
}

function findFlask(project: Project, entry: string | undefined): Found | undefined {
  const makers = (entry === undefined ? project.files : [entry]).filter(
    (path) => path.endsWith('.py') && flaskApp(project.read(path) ?? '') !== undefined,
  );
  const path = oneOf(makers, 'a Flask app');
  return path === undefined ? undefined : { framework: 'flask', entry: path, reason: `${path} calls Flask(…)` };
}

/** Returns the variable and the line of a file's Flask app. */
export function flaskApp(text: string): { readonly name: string; readonly line: number } | undefined {
  if (!/^\s*(?:from\s+flask\s+import\b|import\s+flask\b)/m.test(text)) return undefined;
  const lines = text.split('\n');
  const app = /^\s*(\w+)\s*(?::[^=]{0,80})?=\s*(?:flask\.)?Flask\s*\(/;
  const line = lines.findIndex((each) => app.test(each));
  return line === -1 ? undefined : { name: app.exec(lines[line] as string)?.[1] as string, line: line + 1 };
}

function findPhp(project: Project, entry: string | undefined): Found | undefined {
  const index =
    (entry?.endsWith('.php') ? entry : undefined) ??
    ['public/index.php', 'web/index.php', 'index.php'].find((path) => project.read(path) !== undefined);
  if (index !== undefined) return { framework: 'php', entry: index, reason: `${index} is there` };
  const any = project.files.find((path) => path.endsWith('.php')) ?? (project.read('composer.json') && 'composer.json');
  return any ? { framework: 'php', reason: `${any} is there` } : undefined;
}

function dependsOn(project: Project, name: string): boolean {
  return readPackageJson(project)?.dependencies[name] !== undefined;
}

function only(
  project: Project,
  entry: string | undefined,
  { words, fits, what = 'a server' }: { words: RegExp; fits: (script: Script) => boolean; what?: string },
): string | undefined {
  const paths = entry === undefined ? scriptPaths(project, words) : [entry];
  const makers = paths.filter((path) => {
    const script = project.script(path);
    return script !== undefined && fits(script);
  });
  return oneOf(makers, what);
}

/** Returns the file nearest to the folder. @throws UsageError if several are. */
function oneOf(makers: readonly string[], what: string): string | undefined {
  const depth = (path: string) => path.split('/').length;
  const nearest = makers.filter((path) => depth(path) === depth(makers[0] as string));
  if (nearest.length <= 1) return nearest[0];
  throw new UsageError(`${nearest.slice(0, 5).join(', ')} each create ${what}: name the site's with --entry FILE.`);
}
