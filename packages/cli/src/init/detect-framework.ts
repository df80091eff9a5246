import { UsageError } from '@gantry/server';
import { type MaskedCode, maskPython } from '../project/mask-code.ts';
import type { Project } from '../project/project.ts';
import { importNames, matchesInCode, memberNames, nodeSources } from './node-source.ts';
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
  if (framework !== undefined) return finders[framework]() ?? foundByFlag(framework, entry);
  // Express and Next are built on Node's own server, so they come first.
  const node = (entry === undefined ? finders.next() : undefined) ?? finders.express() ?? finders.node();
  const found = [node, finders.flask()].filter((one) => one !== undefined);
  if (found.length === 0) refuseDjango(project);
  const php = finders.php();
  if (php && (found.length === 0 || (entry === undefined && php.entry !== undefined))) found.push(php);
  if (found.length > 1) {
    const all = found.map(({ framework: name, reason }) => `${name} (${reason})`).join(' and ');
    throw new UsageError(`The project looks like ${all}. Choose the site's with --framework.`);
  }
  return found[0];
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
  const server = only(project, undefined, (source) => importNames(source, 'next').length > 0);
  const where = folder === undefined ? '' : ` and has ${folder}/`;
  if (!server)
    return { framework: 'next', reason: `package.json depends on next${where}; it has no server of its own` };
  return { framework: 'next', entry: server, reason: `package.json depends on next${where}; ${server} is its server` };
}

function findExpress(project: Project, entry: string | undefined): Found | undefined {
  const path = only(project, entry, (source) => expressApp(source) !== undefined, 'an Express app');
  if (path !== undefined) return { framework: 'express', entry: path, reason: `${path} imports it` };
  if (entry === undefined && dependsOn(project, 'express')) {
    throw noCall('package.json depends on express', 'it');
  }
  return undefined;
}

/** Returns the variable of a file's Express app, and the position of the call that creates it. */
export function expressApp(
  source: MaskedCode,
): { readonly name: string; readonly at: number; readonly several: boolean } | undefined {
  const names = [...importNames(source, 'express'), ...memberNames(source, 'express', 'express')];
  const makers = names.map((name) => name.replaceAll('$', '\\$'));
  const found = [
    ...(makers.length > 0
      ? source.bare.matchAll(
          new RegExp(`(?<![\\w$.])([\\w$]+)\\s*(?::[^=\\n]{0,80})?=\\s*(?:${makers.join('|')})\\s*\\(\\s*\\)`, 'g'),
        )
      : []),
    ...matchesInCode(source, [`(?<![\\w$.])([\\w$]+)\\s*=\\s*require\\(\\s*['"]express['"]\\s*\\)\\s*\\(\\s*\\)`]),
  ];
  const [first] = found;
  return first && { name: first[1] as string, at: first.index, several: found.length > 1 };
}

function findHttp(project: Project, entry: string | undefined): Found | undefined {
  const path = only(project, entry, (source) => /\bcreateServer\s*\(/.test(source.bare) && importsHttp(source));
  return path ? { framework: 'node', entry: path, reason: `${path} calls createServer of node:http` } : undefined;
}

function importsHttp(source: MaskedCode): boolean {
  return importNames(source, 'https?').length > 0 || memberNames(source, 'https?', 'createServer').length > 0;
}

function findFlask(project: Project, entry: string | undefined): Found | undefined {
  const makers = (entry === undefined ? project.files : [entry]).filter(
    (path) => path.endsWith('.py') && flaskApp(project.read(path) ?? '') !== undefined,
  );
  const path = oneOf(makers, 'a Flask app');
  if (path !== undefined) return { framework: 'flask', entry: path, reason: `${path} calls Flask(…)` };
  const listing = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.cfg'].find((file) =>
    /^\s*["']?flask\b/im.test(project.read(file) ?? ''),
  );
  if (entry === undefined && listing !== undefined) throw noCall(`${listing} names flask`, 'Flask(…)');
  return undefined;
}

/** Returns the variable of a file's Flask app, and the position of the call's opening bracket. */
export function flaskApp(
  text: string,
): { readonly name: string; readonly at: number; readonly open: number } | undefined {
  if (!text.includes('Flask')) return undefined;
  const { bare, code } = maskPython(text);
  if (!/^\s*(?:from\s+flask\s+import\b|import\s+flask\b)/m.test(code)) return undefined;
  const found = /^[ \t]*([A-Za-z_]\w*)[ \t]*(?::[ \t]*[\w.]+[ \t]*)?=[ \t]*(?:flask\.)?Flask[ \t]*\(/m.exec(bare);
  return found ? { name: found[1] as string, at: found.index, open: found.index + found[0].length - 1 } : undefined;
}

function findPhp(project: Project, entry: string | undefined): Found | undefined {
  const index =
    (entry?.endsWith('.php') ? entry : undefined) ??
    ['public/index.php', 'web/index.php', 'index.php'].find((path) => project.read(path) !== undefined);
  if (index !== undefined) return { framework: 'php', entry: index, reason: `${index} is there` };
  const any = project.files.find((path) => path.endsWith('.php')) ?? (project.read('composer.json') && 'composer.json');
  return any ? { framework: 'php', reason: `${any} is there` } : undefined;
}

function refuseDjango(project: Project): void {
  const file = project.files.find((path) => /(^|\/)manage\.py$/.test(path) && /django/i.test(project.read(path) ?? ''));
  if (file === undefined) return;
  throw new UsageError(
    `This is a Django site (${file}), which gantry init does not support yet. --framework other creates the parts that a site in any language needs.`,
  );
}

function dependsOn(project: Project, name: string): boolean {
  return readPackageJson(project)?.dependencies[name] !== undefined;
}

function noCall(evidence: string, call: string): UsageError {
  return new UsageError(
    `${evidence}, but no file was found that calls ${call}. Name the one that creates the app with --entry FILE.`,
  );
}

function only(
  project: Project,
  entry: string | undefined,
  fits: (source: MaskedCode) => boolean,
  what = 'a server',
): string | undefined {
  const found = [...nodeSources(project)].filter((source) => source.path === (entry ?? source.path) && fits(source));
  return oneOf(
    found.map(({ path }) => path),
    what,
  );
}

/** Returns the file nearest to the folder. @throws UsageError if several are. */
function oneOf(found: readonly string[], what: string): string | undefined {
  const depth = (path: string) => path.split('/').length;
  const nearest = found.filter((path) => depth(path) === depth(found[0] as string));
  if (nearest.length <= 1) return nearest[0];
  throw new UsageError(`${nearest.slice(0, 5).join(', ')} each create ${what}: name the site's with --entry FILE.`);
}
