import { webRootEvidence } from '@gantry/server';
import { closingBracket } from '../project/mask-code.ts';
import type { Project } from '../project/project.ts';
import { mark } from './generated-file.ts';
import { type NodeSource, nodeSources } from './node-source.ts';
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
  const sources = [...nodeSources(project)].filter(({ text }) => !text.includes(mark));
  for (const source of sources) {
    const found = framework === 'node' ? importReason(source) : (callReason(source) ?? readingReason(source));
    if (found !== undefined) return `${source.path} ${found}`;
  }
  return undefined;
}

/** A plain server sends what it reads: one that imports nothing that reads files sends none. */
function importReason({ code, bare }: NodeSource): string | undefined {
  const names = [...code.matchAll(/\b(?:from|import|require)[\s(]*(['"`])([^'"`\n]*)\1/g)];
  const reading = names.find(([, , name = '']) => !withoutFiles.test(name))?.[2];
  if (reading !== undefined) return `imports ${reading}, which may send files`;
  return /\b(?:import|require)\s*\(\s*[^\s'"`)]|\bgetBuiltinModule\b/.test(bare)
    ? 'imports what its code computes'
    : undefined;
}

/** Middleware and calls that send a file or a folder to a visitor. */
const senders = /(?<![\w$])(static|serveStatic|sirv|serveIndex|sendFile|sendfile|download|createReadStream)\s*\(/g;

/** Names that compute no place of their own: `join(import.meta.dirname, 'public')`. */
const ownNames = new Set([
  ...['path', 'join', 'resolve', '__dirname', 'process', 'cwd', 'import', 'meta', 'dirname', 'url'],
  ...['new', 'URL', 'fileURLToPath', 'pathname'],
]);

function callReason({ code, bare }: NodeSource): string | undefined {
  if (/\bdotfiles\b|\bhidden\s*:/.test(code)) return 'sends files whose names begin with a dot';
  for (const { 0: call, 1: name, index } of bare.matchAll(senders)) {
    const open = index + call.length - 1;
    const end = endOfArgument(bare, open);
    const argument = { code: code.slice(open + 1, end), bare: bare.slice(open + 1, end) };
    if (!namesFolderBelow(argument)) return `calls ${name}(…) with more than the name of a folder in it`;
  }
  return undefined;
}

/** Returns the position after the first argument of a call. */
function endOfArgument(bare: string, open: number): number {
  const close = closingBracket(bare, open);
  for (let at = open + 1; at < close; at++) {
    if (bare[at] === ',') return at;
    if (/[([{]/.test(bare[at] as string)) at = Math.max(at, closingBracket(bare, at));
  }
  return close === -1 ? bare.length : close;
}

/** Returns whether an expression names one file or folder below the site's own: `'public'`. */
function namesFolderBelow({ code, bare }: { readonly code: string; readonly bare: string }): boolean {
  const texts = [...code.matchAll(/(['"`])([^'"`]*)\1/g)].map(([, , text = '']) => text.replace(/^\.\//, ''));
  const parts = texts.flatMap((text) => text.replace(/\/$/, '').split('/'));
  const words = bare.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return (
    parts.length > 0 && parts.every((part) => /^[\w-][\w.-]*$/.test(part)) && words.every((word) => ownNames.has(word))
  );
}

function readingReason({ bare }: NodeSource): string | undefined {
  return /\breadFile(?:Sync)?\s*\([^)]{0,200}\b(?:req\w*|url|pathname|params|query)\b/.test(bare)
    ? 'reads files by what a request names'
    : undefined;
}

function flaskReason({ files, read }: Project): string | undefined {
  const pattern =
    /\bstatic_folder\s*=\s*(?!['"]\.?\/?[\w-]+(?:\/[\w-]+)*\/?['"])|\bsend_from_directory\s*\(\s*(?!['"]\.?\/?[\w-]+)|\bsend_file\s*\(\s*(?!['"])/;
  const path = files.find((one) => one.endsWith('.py') && pattern.test(read(one) ?? ''));
  return path === undefined ? undefined : `${path} sends files of a folder that its code computes`;
}
