import { UsageError } from '@gantry/server';
import { type MaskedCode, maskPython } from './mask-code.ts';
import { importNames, matchesInCode, memberNames, nodeSources } from './node-source.ts';
import { type PackageJson, readPackageJson } from './package-json.ts';
import type { Found, Framework } from './plan.ts';
import type { Project } from './project.ts';

/**
 * Finds the framework of a site by its files.
 *
 * @param options.framework The one to look for; absent, the first that is there.
 * @param options.entry The file that makes the app, where it is not found or there are several.
 * @returns `undefined` where nothing speaks for any of them.
 * @throws UsageError for a site of a kind that is known and not supported, and where the evidence is ambiguous.
 */
export function detect(
  project: Project,
  { framework, entry }: { readonly framework?: Framework | undefined; readonly entry?: string | undefined } = {},
): Found | undefined {
  if (entry !== undefined && project.read(entry) === undefined) {
    throw new UsageError(`--entry ${entry} is not a text file of the project.`);
  }
  const looks: Readonly<Record<Framework, () => Found | undefined>> = {
    next: () => findNext(project),
    express: () => findExpress(project, entry),
    node: () => findHttp(project, entry),
    flask: () => findFlask(project, entry),
    php: () => findPhp(project, entry),
    other: () => undefined,
  };
  if (framework !== undefined) return looks[framework]() ?? asTold(framework, entry);
  // A server of Node's own is what Express and Next are made of, so these come first.
  const node = (entry === undefined ? looks.next() : undefined) ?? looks.express() ?? looks.node();
  const found = [node, looks.flask()].filter((one) => one !== undefined);
  if (found.length === 0) refuseDjango(project);
  const php = looks.php();
  if (php && (found.length === 0 || (entry === undefined && php.entry !== undefined))) found.push(php);
  if (found.length > 1) {
    const all = found.map(({ framework: name, reason }) => `${name} (${reason})`).join(' and ');
    throw new UsageError(`The project looks like ${all}. Say which is the site with --framework.`);
  }
  return found[0];
}

function asTold(framework: Framework, entry: string | undefined): Found {
  if (framework === 'php' || framework === 'other' || framework === 'next') {
    return { framework, reason: '--framework says so', ...(entry !== undefined && { entry }) };
  }
  throw new UsageError(`No file was found that makes the ${framework} app. Name it with --entry FILE.`);
}

function findNext(project: Project): Found | undefined {
  if (!dependsOn(readPackageJson(project), 'next')) return undefined;
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
  if (entry === undefined && dependsOn(readPackageJson(project), 'express')) {
    throw new UsageError(
      'package.json depends on express, but no file was found that calls it. Name the one that makes the app with --entry FILE.',
    );
  }
  return undefined;
}

/** Returns the name of the app that a file makes with Express, and the position of the call. */
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
    ...matchesInCode(source, /(?<![\w$.])([\w$]+)\s*=\s*require\(\s*['"]express['"]\s*\)\s*\(\s*\)/g),
  ];
  const [first] = found;
  return first && { name: first[1] as string, at: first.index, several: found.length > 1 };
}

function findHttp(project: Project, entry: string | undefined): Found | undefined {
  const path = only(
    project,
    entry,
    (source) => /\bcreateServer\s*\(/.test(source.bare) && importsHttp(source),
    'a server',
  );
  return path === undefined
    ? undefined
    : { framework: 'node', entry: path, reason: `${path} calls createServer of node:http` };
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
  if (entry === undefined && listing !== undefined) {
    throw new UsageError(
      `${listing} names flask, but no file was found that calls Flask(…). Name the one that makes the app with --entry FILE.`,
    );
  }
  return undefined;
}

/** Returns the variable that holds a Flask app, and the position of the call's opening bracket. */
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
    `This is a Django site (${file}), which gantry init does not know yet. --framework other makes the parts that a site in any language needs.`,
  );
}

function dependsOn(found: PackageJson | undefined, name: string): boolean {
  return found?.dependencies[name] !== undefined;
}

function only(
  project: Project,
  entry: string | undefined,
  fits: (source: MaskedCode) => boolean,
  what = 'a server',
): string | undefined {
  const found: string[] = [];
  for (const source of nodeSources(project)) {
    if ((entry === undefined || source.path === entry) && fits(source)) found.push(source.path);
  }
  return oneOf(found, what);
}

/** @throws UsageError where several files could be meant, unless just one of them lies nearest to the folder. */
function oneOf(found: readonly string[], what: string): string | undefined {
  const depth = (path: string) => path.split('/').length;
  const nearest = found.filter((path) => depth(path) === depth(found[0] as string));
  if (nearest.length <= 1) return nearest[0];
  throw new UsageError(`${nearest.slice(0, 5).join(', ')} make ${what} each: name the site's with --entry FILE.`);
}
