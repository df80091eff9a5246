import { UsageError } from '@gantry/server';
import { parseJson } from '@gantry/wire';
import { ownVersion } from 'create-gantry';
import { applyEdits, modify } from 'jsonc-parser';
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

/** Adds scripts and dependencies; all else stays as it is written. */
export function changePackageJson(
  project: Pick<Project, 'read'>,
  { packages, scripts = {}, replace = [] }: PackageAdditions,
): Change {
  const path = 'package.json';
  const before = project.read(path);
  const text = before ?? '{\n  "private": true\n}\n';
  const old = parse(text);
  const dependencies = textsOf(old.dependencies);
  const oldScripts = textsOf(old.scripts);
  const added = Object.entries(scripts).filter(([name]) => oldScripts[name] === undefined || replace.includes(name));
  const packageEntries = Object.entries(ownDependencies(packages, dependencies['@gantry/cli']));
  const values = [
    ...added.map(([name, value]) => ['scripts', name, value] as const),
    ...packageEntries.flatMap(([name, value]) => (dependencies[name] ? [] : [['dependencies', name, value] as const])),
  ];
  const after = values.reduce(setText, text);
  const changed = parse(after);
  if (values.some(([member, name, value]) => textsOf(changed[member])[name] !== value)) {
    throw new UsageError('package.json has a member twice: correct it first.');
  }
  return { path, ...(before !== undefined && { before }), after };
}

/** Sets a text of a member's object, in the order and format of npm. */
function setText(text: string, [member, name, value]: readonly [string, string, string]): string {
  const start = text.startsWith(bom) ? bom : '';
  const json = text.slice(start.length);
  const indent = /\n([ \t]+)/.exec(json)?.[1] ?? '  ';
  const edits = modify(json, [member, name], value, {
    formattingOptions: { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: lineEnding(json) },
    getInsertionIndex: (names) => (member === 'scripts' ? names.length : names.filter((each) => each < name).length),
  });
  return start + applyEdits(json, edits);
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
    const value = parseJson(text.replace(bom, ''));
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
