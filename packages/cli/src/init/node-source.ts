import { extname } from 'node:path';
import type { Project } from '../project/project.ts';
import { calledName, type Node, nodesIn, type Script } from '../project/script.ts';
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

/** Returns the default port of a file's server, if the code names one. */
export function listeningPort({ nodes }: Script): number | undefined {
  const isListening = (node: Node) => node.type === 'CallExpression' && calledName(node) === 'listen';
  const places = [...nodes.filter(isListening), ...nodes.filter(setsPort)];
  return places
    .flatMap((place) => [...nodesIn(place)])
    .map((node) => (node.type === 'NumericLiteral' || node.type === 'StringLiteral' ? Number(node.value) : 0))
    .find((port) => port >= 80 && port < 65_536);
}

/** Returns whether code is `port = …`, a default `{ port = … }` or `set('port', …)`. */
function setsPort(node: Node): boolean {
  const name = node.type === 'VariableDeclarator' ? node.id : node.type === 'AssignmentPattern' ? node.left : undefined;
  if (name?.type === 'Identifier') return /port$/i.test(name.name);
  const [first] = node.type === 'CallExpression' && calledName(node) === 'set' ? node.arguments : [];
  return first?.type === 'StringLiteral' && first.value === 'port';
}
