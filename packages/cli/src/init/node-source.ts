import { dirname, extname, join } from 'node:path/posix';
import type { Project } from '../project/project.ts';
import { calledName, type Node, nodesIn, requiredBy, type Script } from '../project/script.ts';
import { readPackageJson } from './package-json.ts';

/** Form of a new file beside another one: extension, module system and import ending. */
export interface ModuleForm {
  /** `.js`, `.mjs`, `.cjs`, `.ts`, `.mts` or `.cts` */
  readonly extension: string;
  readonly isTypeScript: boolean;
  /** Uses `import`; otherwise `require`. */
  readonly hasImports: boolean;
  /** Ending of an import of `./gantry`. */
  readonly importEnding: string;
}

/** Lists the paths of a site's scripts that have such words, nearest to its folder first. */
export function scriptPaths({ files, read }: Project, words: RegExp): readonly string[] {
  return files.filter(
    (path) =>
      (/(?<!\.d)\.[mc]?[jt]sx?$/.test(path) || /(^|\/)bin\/www$/.test(path)) &&
      !/\.(test|spec|config)\.[mc]?[jt]s$/.test(path) &&
      words.test(read(path) ?? ''),
  );
}

/** Lists the site's scripts that have such words and can be parsed. */
export function scriptsWith(project: Project, words: RegExp): readonly Script[] {
  return scriptPaths(project, words).flatMap((path) => project.script(path) ?? []);
}

/** Returns the form of a new file beside `script`. */
export function moduleForm(project: Project, script: Script): ModuleForm {
  const extension = extname(script.path).replace('x', '') || '.js';
  const isTypeScript = extension.endsWith('ts');
  const isModule = extension === '.mjs' || (extension === '.js' && readPackageJson(project)?.type === 'module');
  const hasImports = extension !== '.cjs' && (isTypeScript || isModule || script.program.sourceType === 'module');
  return { extension, isTypeScript, hasImports, importEnding: importEnding(project, script, extension) };
}

/** Returns the ending of relative imports: the one in use, else by how the site runs. */
function importEnding(project: Project, { program }: Script, extension: string): string {
  if (!extension.endsWith('ts')) return extension;
  const other = program.body.find((node) => node.type === 'ImportDeclaration' && /^\.{1,2}\//.test(node.source.value));
  if (other?.type === 'ImportDeclaration') return /\.[mc]?[jt]s$/.exec(other.source.value)?.[0] ?? '';
  const { scripts = {}, type } = readPackageJson(project) ?? {};
  if (Object.values(scripts).some((script) => /\bnode\b(?:\s+-\S+)*\s+\S+\.[mc]?ts\b/.test(script))) return extension;
  return type === 'module' ? extension.replace('ts', 'js') : '';
}

const mostFiles = 50;

/** Returns the port that a command or the code names: scripts `start` and `dev`, entry, imports. */
export function sitePort(project: Project, entry = 'bin/www'): number | undefined {
  const scripts = readPackageJson(project)?.scripts ?? {};
  const commands = new Set(['start', 'dev'].flatMap((name) => scripts[name] ?? []));
  for (const command of commands) {
    const [, said] = /(?:\bPORT=|\s(?:-p|--port)[ =])(\d+)\b/.exec(command) ?? [];
    if (said !== undefined) return Number(said);
    for (const [, name = ''] of command.matchAll(/\bnpm run ([\w:-]+)/g)) commands.add(scripts[name] ?? '');
  }
  const words = [...commands].flatMap((command) => command.split(/\s+/));
  const files = new Set([...words, entry, 'bin/www'].flatMap((path) => sourceOf(project, path) ?? []));
  for (const path of files) {
    const script = project.script(path);
    const port = script && listeningPort(script);
    if (port !== undefined) return port;
    for (const node of script?.nodes ?? []) {
      const from = node.type === 'ImportDeclaration' ? node.source.value : requiredBy(node);
      const imported = from?.startsWith('.') ? sourceOf(project, join(dirname(path), from)) : undefined;
      if (imported && files.size < mostFiles) files.add(imported);
    }
  }
  return undefined;
}

/** Returns the project's file that a path without its ending, of a folder, or of a build means. */
function sourceOf({ files }: Project, path: string): string | undefined {
  const plain = join(path);
  const stem = plain.replace(/^(dist|build|out)\//, 'src/').replace(/\.[mc]?js$/, '');
  const endings = ['', '/index'].flatMap((folder) =>
    ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `${folder}.${end}`),
  );
  const candidates = [plain, ...endings.map((ending) => join(stem + ending))];
  return candidates.find((each) => files.includes(each));
}

/** Ports of other servers, which a site's settings name beside its own. */
const others = new Set([465, 587, 1025, 1433, 3306, 5432, 6379, 9200, 11_211, 27_017]);

/** Returns the default port of a file's server, if the code names one. */
function listeningPort({ nodes }: Script): number | undefined {
  const isListening = (node: Node) => node.type === 'CallExpression' && calledName(node) === 'listen';
  const places = [...nodes.filter(isListening), ...nodes.filter(setsPort)];
  return places
    .flatMap((place) => [...nodesIn(place)])
    .map((node) => (node.type === 'NumericLiteral' || node.type === 'StringLiteral' ? Number(node.value) : 0))
    .find((port) => port >= 80 && port < 65_536 && !others.has(port));
}

/** Returns whether code is `port = …`, `{ port = … }`, `{ port: … }` or `set('port', …)`. */
function setsPort(node: Node): boolean {
  const key = node.type === 'ObjectProperty' ? node.key : undefined;
  const name = node.type === 'VariableDeclarator' ? node.id : node.type === 'AssignmentPattern' ? node.left : key;
  if (name?.type === 'Identifier') return /^((http|server|web|app|site|listen|default)_?)?port$/i.test(name.name);
  const [first] = node.type === 'CallExpression' && calledName(node) === 'set' ? node.arguments : [];
  return first?.type === 'StringLiteral' && first.value === 'port';
}
