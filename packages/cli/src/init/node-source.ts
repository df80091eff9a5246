import { extname } from 'node:path';
import { type MaskedCode, maskJavaScript } from '../project/mask-code.ts';
import type { Project } from '../project/project.ts';
import { readPackageJson } from './package-json.ts';

/** A JavaScript or TypeScript file of the site. */
export interface NodeSource extends MaskedCode {
  readonly path: string;
  readonly text: string;
}

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

/** Lists the site's scripts, nearest to its folder first. */
export function* nodeSources(project: Project): Generator<NodeSource> {
  for (const path of project.files) {
    if (!/(?<!\.d)\.[mc]?[jt]sx?$/.test(path) || /\.(test|spec|config)\.[mc]?[jt]s$/.test(path)) continue;
    const text = project.read(path);
    if (text !== undefined) yield { path, text, ...maskJavaScript(text) };
  }
}

/** Returns the local names under which a file imports a package's default or whole. */
export function importNames(source: MaskedCode, name: string): readonly string[] {
  const from = `['"](?:node:)?${name}['"]`;
  const patterns = [
    `\\bimport\\s+(?:\\*\\s+as\\s+)?([\\w$]+)\\s*(?:,\\s*\\{[^}]{0,1000}\\}\\s*)?from\\s*${from}`,
    `\\bimport\\s*\\{[^}]{0,1000}\\bdefault\\s+as\\s+([\\w$]+)[^}]{0,1000}\\}\\s*from\\s*${from}`,
    `\\bimport\\s+([\\w$]+)\\s*=\\s*require\\(\\s*${from}\\s*\\)`,
    `\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*require\\(\\s*${from}\\s*\\)(?!\\s*[.(])`,
  ];
  return matchesInCode(source, patterns).map(([, found = '']) => found);
}

/** Matches patterns that contain strings, unless the match begins in one. */
export function matchesInCode({ code, bare }: MaskedCode, patterns: readonly string[]): readonly RegExpExecArray[] {
  return patterns
    .flatMap((pattern) => [...code.matchAll(new RegExp(pattern, 'g'))])
    .filter(({ index }) => bare[index] === code[index]);
}

/** Returns the local names under which a file imports one export of a package. */
export function memberNames(source: MaskedCode, name: string, member: string): readonly string[] {
  const from = `['"](?:node:)?${name}['"]`;
  const lists = matchesInCode(source, [
    `\\bimport\\s*(?:[\\w$]+\\s*,\\s*)?\\{([^}]{0,1000})\\}\\s*from\\s*${from}`,
    `\\b(?:const|let|var)\\s*\\{([^}]{0,1000})\\}\\s*=\\s*require\\(\\s*${from}\\s*\\)`,
  ]);
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

/** Returns the ending of relative imports: the one in use, else by how the site runs. */
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

/** Returns the line that imports a name from the new module. */
export function importLine({ hasImports, importEnding }: ModuleForm, name: string): string {
  const specifier = `'./gantry${importEnding}'`;
  return hasImports ? `import { ${name} } from ${specifier};\n` : `const { ${name} } = require(${specifier});\n`;
}

/** Returns the default port of a file's server, if the code names one. */
export function listeningPort({ code }: Pick<NodeSource, 'code'>): number | undefined {
  const direct = /\.listen\(\s*(?:\{\s*port:\s*)?(?:[\w$.]+\s*(?:\|\||\?\?)\s*)?['"]?(\d{2,5})\b/.exec(code);
  const named = /\bport\b[^=\n;]{0,40}=[^\n;]{0,80}?\b(\d{4,5})\b/i.exec(code);
  const port = Number(direct?.[1] ?? named?.[1]);
  return port > 0 && port < 65_536 ? port : undefined;
}
