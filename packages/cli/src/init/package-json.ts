import { UsageError } from '@gantry/server';
import { ownVersion } from 'create-gantry';
import type { Change } from '../project/change.ts';
import { lineEnding } from '../project/edit-text.ts';
import type { Project } from '../project/project.ts';

/** Fields of a `package.json` that are used here. */
export interface PackageJson {
  readonly type?: unknown;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const bom = '\uFEFF';

/**
 * Reads `package.json`. Missing or invalid fields are empty.
 *
 * @returns `undefined` if there is none.
 * @throws UsageError if it is not a JSON object.
 */
export function readPackageJson({ read }: Pick<Project, 'read'>): PackageJson | undefined {
  const text = read('package.json');
  if (text === undefined) return undefined;
  const { type, scripts, dependencies } = parse(text);
  return { type, scripts: textsOf(scripts), dependencies: textsOf(dependencies) };
}

/** Additions to a `package.json`. */
export interface PackageAdditions {
  /** Names of Gantry's packages. */
  readonly packages: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  /** Names of scripts that are overwritten. */
  readonly replace?: readonly string[];
}

/** Adds scripts and dependencies in npm's format. */
export function changePackageJson(
  project: Pick<Project, 'read'>,
  { packages, scripts, replace = [] }: PackageAdditions,
): Change {
  const before = project.read('package.json');
  const text = before ?? '{\n  "private": true\n}\n';
  const old = parse(text);
  const dependencies = textsOf(old.dependencies);
  const oldScripts = textsOf(old.scripts);
  const kept = Object.fromEntries(Object.entries(oldScripts).filter(([name]) => !replace.includes(name)));
  const changed = {
    ...old,
    ...(scripts && { scripts: { ...oldScripts, ...scripts, ...kept } }),
    dependencies: sorted({ ...ownDependencies(packages, dependencies['@gantry/cli']), ...dependencies }),
  };
  const isSame = JSON.stringify(changed) === JSON.stringify(old);
  return {
    path: 'package.json',
    ...(before !== undefined && { before }),
    after: isSame ? text : written(changed, text),
  };
}

/** Returns dependencies on Gantry's packages, by tarball or version as the command's own. */
function ownDependencies(names: readonly string[], cli = ''): Readonly<Record<string, string>> {
  const isFile = /^file:.*gantry-cli-[^/\\]*\.tgz$/.test(cli);
  return Object.fromEntries(
    names.map((name) => {
      const file = name.replace('@gantry/', 'gantry-');
      return [name, isFile ? cli.replace(/gantry-cli-([^/\\]*\.tgz)$/, `${file}-$1`) : ownVersion()];
    }),
  );
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.replace(bom, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // thrown below
  }
  throw new UsageError('package.json is not a JSON object: correct it first.');
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the text in npm's format, with indentation, line ending and byte order mark kept. */
function written(value: object, like: string): string {
  const indent = /^[^\S\n]*\uFEFF?\{\r?\n([ \t]+)/.exec(like)?.[1] ?? '  ';
  const text = `${JSON.stringify(value, undefined, indent)}\n`;
  const ended = text.replaceAll('\n', lineEnding(like));
  return (like.startsWith(bom) ? bom : '') + (/\n$/.test(like) ? ended : ended.trimEnd());
}
