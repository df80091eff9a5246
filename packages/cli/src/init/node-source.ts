import { extname } from 'node:path';
import { type MaskedCode, maskJavaScript } from './mask-code.ts';
import { readPackageJson } from './package-json.ts';
import type { Project } from './project.ts';

/** A JavaScript or TypeScript file of the site. */
export interface NodeSource extends MaskedCode {
  readonly path: string;
  readonly text: string;
}

/** The form that a file beside another one has: its ending, its module system and how others import it. */
export interface ModuleForm {
  /** `.js`, `.mjs`, `.cjs`, `.ts`, `.mts` or `.cts` */
  readonly extension: string;
  readonly isTypeScript: boolean;
  /** Written with `import`; otherwise with `require`. */
  readonly hasImports: boolean;
  /** Ending of an import of `./gantry`. */
  readonly importEnding: string;
}

/** Lists the site's scripts, those nearest to its folder first. */
export function* nodeSources(project: Project): Generator<NodeSource> {
  for (const path of project.files) {
    if (!/(?<!\.d)\.[mc]?[jt]sx?$/.test(path) || /\.(test|spec|config)\.[mc]?[jt]s$/.test(path)) continue;
    const text = project.read(path);
    if (text !== undefined) yield { path, text, ...maskJavaScript(text) };
  }
}

/** Returns the names under which a file imports a package: its default or whole, by any of the usual ways. */
export function importNames(source: MaskedCode, name: string): readonly string[] {
  const from = `['"](?:node:)?${name}['"]`;
  const patterns = [
    `\\bimport\\s+(?:\\*\\s+as\\s+)?([\\w$]+)\\s*(?:,\\s*\\{[^}]{0,1000}\\}\\s*)?from\\s*${from}`,
    `\\bimport\\s*\\{[^}]{0,1000}\\bdefault\\s+as\\s+([\\w$]+)[^}]{0,1000}\\}\\s*from\\s*${from}`,
    `\\bimport\\s+([\\w$]+)\\s*=\\s*require\\(\\s*${from}\\s*\\)`,
    `\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*require\\(\\s*${from}\\s*\\)(?!\\s*[.(])`,
  ];
  return patterns.flatMap((pattern) => matchesInCode(source, new RegExp(pattern, 'g')).map(([, found = '']) => found));
}

/** Matches a pattern that names strings, where it does not begin in one. */
export function matchesInCode({ code, bare }: MaskedCode, pattern: RegExp): readonly RegExpExecArray[] {
  return [...code.matchAll(pattern)].filter(({ index }) => bare[index] === code[index]);
}

/** Returns the local names under which a file imports one export of a package. */
export function memberNames(source: MaskedCode, name: string, member: string): readonly string[] {
  const from = `['"](?:node:)?${name}['"]`;
  const lists = [
    ...matchesInCode(
      source,
      new RegExp(`\\bimport\\s*(?:[\\w$]+\\s*,\\s*)?\\{([^}]{0,1000})\\}\\s*from\\s*${from}`, 'g'),
    ),
    ...matchesInCode(
      source,
      new RegExp(`\\b(?:const|let|var)\\s*\\{([^}]{0,1000})\\}\\s*=\\s*require\\(\\s*${from}\\s*\\)`, 'g'),
    ),
  ];
  return lists.flatMap(([, list = '']) =>
    [...list.matchAll(new RegExp(`(?<![\\w$])${member}(?:\\s*(?:\\bas\\b|:)\\s*([\\w$]+))?(?![\\w$])`, 'g'))].map(
      ([, local]) => local ?? member,
    ),
  );
}

/** Returns the form of a new file beside `source`. */
export function moduleForm(project: Project, source: NodeSource): ModuleForm {
  const extension = extname(source.path).replace('x', '');
  const isTypeScript = extension.endsWith('ts');
  const writesImports = /^\s*(?:import\s*[\w$*{'"]|export\s+[\w${*])/m.test(source.bare);
  const isModule = extension === '.mjs' || (extension === '.js' && readPackageJson(project)?.type === 'module');
  const hasImports = extension !== '.cjs' && (isTypeScript || isModule || writesImports);
  return { extension, isTypeScript, hasImports, importEnding: importEnding(project, source, extension) };
}

/** TypeScript that is run as it is names `.ts`; compiled, it names what will be there. Relative imports that there are decide. */
function importEnding(project: Project, { code }: NodeSource, extension: string): string {
  if (!extension.endsWith('ts')) return extension;
  const others = [...code.matchAll(/\bfrom\s*['"]\.{1,2}\/[^'"\n]*?(\.[mc]?[jt]s)?['"]/g)].map(
    ([, found]) => found ?? '',
  );
  const runsSources = Object.values(readPackageJson(project)?.scripts ?? {}).some((script) =>
    /\bnode\b(?:\s+-\S+)*\s+\S+\.[mc]?ts\b/.test(script),
  );
  const javascript = extension.replace('ts', 'js');
  return others[0] ?? (runsSources ? extension : readPackageJson(project)?.type === 'module' ? javascript : '');
}

/** Returns the port that a file's server listens on when nothing is set, if the code says so. */
export function listeningPort({ code }: Pick<NodeSource, 'code'>): number | undefined {
  const direct = /\.listen\(\s*(?:\{\s*port:\s*)?(?:[\w$.]+\s*(?:\|\||\?\?)\s*)?['"]?(\d{2,5})\b/.exec(code);
  const named = /\bport\b[^=\n;]{0,40}=[^\n;]{0,80}?\b(\d{4,5})\b/i.exec(code);
  const port = Number(direct?.[1] ?? named?.[1]);
  return port > 0 && port < 65_536 ? port : undefined;
}
