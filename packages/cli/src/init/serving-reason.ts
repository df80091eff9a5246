import { webRootEvidence } from '@gantry/server';
import type { Project } from '../project/project.ts';
import { calledName, type Node, nodesIn, requiredBy, type Script } from '../project/script.ts';
import { mark } from './generated-file.ts';
import { scriptPaths } from './node-source.ts';
import type { Found } from './plan.ts';

/** Evidence that a web server may send files of a project's folder. */
export interface ServingReason {
  /** Part of a sentence. */
  readonly text: string;
  /** The folder is a web root: there is nothing to ask. */
  readonly isCertain: boolean;
}

/** Modules of Node that read no files. */
const withoutFiles =
  /^(\.{1,2}\/.*|@gantry\/.*|(node:)?(assert|async_hooks|buffer|crypto|diagnostics_channel|events|http|http2|https|net|os|path|perf_hooks|punycode|querystring|stream|string_decoder|timers|timers\/promises|tls|url|util|zlib))$/;

/**
 * Returns the evidence that a web server may send files of the folder (security rule 31).
 *
 * @returns `undefined` if only the site's own code serves, and names what it sends.
 */
export function servingReason(project: Project, { framework, entry }: Found): ServingReason | undefined {
  const { folder } = project;
  const isRoot = framework === 'php' && entry !== undefined && !entry.includes('/');
  if (isRoot) return { text: `${entry} lies in ${folder}`, isCertain: true };
  const text = webRootEvidence(folder) ?? codeReason(project, framework, entry);
  return text === undefined ? undefined : { text, isCertain: false };
}

function codeReason(project: Project, framework: Found['framework'], entry: string | undefined): string | undefined {
  const unknown = `nothing tells which files of ${project.folder} are sent`;
  if (framework === 'other') return unknown;
  if (framework === 'php') return entry === undefined ? unknown : undefined;
  if (framework === 'flask') return flaskReason(project);
  for (const path of scriptPaths(project, /\S/)) {
    if (project.read(path)?.includes(mark)) continue;
    const script = project.script(path);
    const reason = !script ? 'cannot be parsed' : framework === 'node' ? importReason(script) : callReason(script);
    if (reason !== undefined) return `${path} ${reason}`;
  }
  return undefined;
}

/** A plain server sends what it reads: one that imports nothing that reads files sends none. */
function importReason({ nodes }: Script): string | undefined {
  const names = nodes.flatMap((node) => {
    const from = 'source' in node && node.source?.type === 'StringLiteral' ? node.source.value : requiredBy(node);
    return from ?? [];
  });
  const reading = names.find((name) => !withoutFiles.test(name));
  if (reading !== undefined) return `imports ${reading}, which may send files`;
  const isComputed = nodes.some((node) => {
    if (node.type === 'TSImportEqualsDeclaration') return true;
    const isImport = node.type === 'CallExpression' && requiredBy(node) === undefined;
    return isImport && (node.callee.type === 'Import' || /^(require|getBuiltinModule)$/.test(calledName(node) ?? ''));
  });
  return isComputed ? 'imports what its code computes' : undefined;
}

/** Middleware and calls that send a file or a folder to a visitor. */
const senders = /^(static|serveStatic|sirv|serveIndex|sendFile|sendfile|download|createReadStream)$/;

/** Names that compute no place of their own: `join(import.meta.dirname, 'public')`. */
const ownNames = /^(path|join|resolve|__dirname|process|cwd|import|meta|dirname|url|URL|fileURLToPath|pathname)$/;

function callReason({ nodes }: Script): string | undefined {
  for (const node of nodes) {
    if (node.type === 'Identifier' && /^(dotfiles|hidden)$/.test(node.name)) {
      return 'sends files whose names begin with a dot';
    }
    const [place] = node.type === 'CallExpression' ? node.arguments : [];
    if (node.type !== 'CallExpression' || !place) continue;
    const name = calledName(node) ?? '';
    const below = [...nodesIn(place)];
    if (senders.test(name) && !namesFolderBelow(below)) {
      return `calls ${name}(…) with more than the name of a folder in it`;
    }
    const isRequested = (each: Node) => each.type === 'Identifier' && /^(req\w*|url|params|query)$/.test(each.name);
    if (/^readFile(Sync)?$/.test(name) && below.some(isRequested)) return 'reads files by what a request names';
  }
  return undefined;
}

/** Returns whether an expression names one file or folder below the site's own: `'public'`. */
function namesFolderBelow(nodes: readonly Node[]): boolean {
  const isPlain = (node: Node) => {
    if (node.type === 'Identifier') return ownNames.test(node.name);
    if (node.type === 'StringLiteral') return /^(\.\/)?[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(node.value);
    return /^(Call|New|Member)Expression$|^MetaProperty$/.test(node.type);
  };
  return nodes.every(isPlain) && nodes.some(({ type }) => type === 'StringLiteral');
}

function flaskReason({ files, read }: Project): string | undefined {
  const pattern =
    /\bstatic_folder\s*=\s*(?!['"]\.?\/?[\w-]+(?:\/[\w-]+)*\/?['"])|\bsend_from_directory\s*\(\s*(?!['"]\.?\/?[\w-]+)|\bsend_file\s*\(\s*(?!['"])/;
  const path = files.find((one) => one.endsWith('.py') && pattern.test(read(one) ?? ''));
  return path === undefined ? undefined : `${path} sends files of a folder that its code computes`;
}
