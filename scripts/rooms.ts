// `npm run lint` for imports: circles of rooms, and imports that architecture.md does not allow.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** An import, by paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly names: readonly string[];
}

/** Names of packages in the order of their rows, each with those that it may import. */
export type Allowed = ReadonlyMap<string, ReadonlySet<string>>;

const root = join(import.meta.dirname, '..');

/**
 * Reads the imports of a file: types, re-exports and lazy imports, too.
 *
 * @param entries Paths of files by the specifier of a package.
 */
export function importsOf(path: string, text: string, entries: ReadonlyMap<string, string> = new Map()): Import[] {
  const names = new Map<string, string[]>();
  const add = (specifier: string, name: string): void => {
    const to = specifier.startsWith('.') ? posix.join(path, '..', specifier) : entries.get(specifier);
    if (to) names.set(to, [...(names.get(to) ?? []), name]);
  };
  const { module, program } = parseSync(path, text);
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) add(moduleRequest.value, '*');
    for (const { importName } of entries) add(moduleRequest.value, importName.name ?? '*');
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries))
    if (moduleRequest) add(moduleRequest.value, importName.name ?? '*');
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === 'Literal') add(String(source.value), 'import()');
    },
    TSImportType({ source }) {
      add(source.value, 'import()');
    },
  }).visit(program);
  return [...names].map(([to, names]) => ({ from: path, to, names }));
}

/** Reads the table of allowed imports. */
export function readAllowed(markdown: string): Allowed {
  const allowed = new Map<string, ReadonlySet<string>>();
  for (const [, name = '', cell = ''] of markdown.matchAll(/^\| `([\w-]+)` \|[^|]+\| ([^|]+) \|$/gm)) {
    const named = cell.split(/, (?:and )?/).flatMap((word) => {
      const parts = allowed.get(/^the (\w+)'s parts$/.exec(word)?.[1] ?? '');
      return word === 'all above' ? [...allowed.keys()] : [...(parts ?? [word])];
    });
    allowed.set(name, new Set(named.filter((word) => word !== '–')));
  }
  return allowed;
}

/**
 * Finds rooms of a package that import each other, if only through others. Returns the imports
 * between the rooms of each circle.
 */
export function circles(imports: readonly Import[]): readonly (readonly Import[])[] {
  const next = new Map<string, string[]>();
  const within = imports.filter(({ from, to }) => !isTest(from) && packageOf(from) === packageOf(to));
  const between = within.filter(({ from, to }) => roomOf(from) !== roomOf(to));
  for (const { from, to } of between) next.set(roomOf(from), [...(next.get(roomOf(from)) ?? []), roomOf(to)]);
  const reached = (start: string): ReadonlySet<string> => {
    const rooms = new Set(next.get(start));
    for (const room of rooms) for (const one of next.get(room) ?? []) rooms.add(one);
    return rooms;
  };
  const reach = new Map([...next.keys()].map((room) => [room, reached(room)]));
  const inCircles = between.filter(({ from, to }) => reach.get(roomOf(to))?.has(roomOf(from)));
  const firstOf = (room: string): string | undefined =>
    [...reach.keys()].find((one) => reach.get(one)?.has(room) && reach.get(room)?.has(one));
  return [...Map.groupBy(inCircles, ({ from }) => firstOf(roomOf(from))).values()];
}

/** Finds imports that the table does not allow, and of tests of a later row by tests. */
export function refused(imports: readonly Import[], allowed: Allowed): Import[] {
  const rows = [...allowed.keys()];
  return imports.filter(({ from, to }) => {
    const [here, there] = [packageOf(from), packageOf(to)];
    if (isTest(from)) return isTest(to) && rows.indexOf(there) > rows.indexOf(here);
    return here !== there && !allowed.get(here)?.has(there);
  });
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isTest(path: string): boolean {
  return path.split('/')[2] === 'test';
}

/** Returns the folder of a file; or itself, where it lies directly in `src` or beside that. */
function roomOf(path: string): string {
  const folder = posix.dirname(path);
  return folder.split('/').length > 3 ? folder : path;
}

if (process.argv[1] === import.meta.filename) {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const listed = execFileSync('git', ['ls-files', '-z', '--', 'packages'], { cwd: root, encoding: 'utf8' }).split('\0');
  const manifests = listed
    .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
    .map((path) => ({ path, ...JSON.parse(read(path)) }));
  const entries = new Map<string, string>(
    manifests.flatMap(({ path, name, exports }) =>
      Object.entries<string | { readonly '@gantry/source'?: unknown }>(exports).map(([entry, target]) => {
        const source = typeof target === 'object' ? target['@gantry/source'] : undefined;
        return [posix.join(name, entry), posix.join(path, '..', typeof source === 'string' ? source : '.')];
      }),
    ),
  );
  const imports = listed
    .filter((path) => /\.tsx?$/.test(path) && !/^packages\/[^/]+\/(?:starters|templates)\//.test(path))
    .flatMap((path) => importsOf(path, read(path), entries));
  for (const { path, dependencies = {} } of manifests)
    for (const name of Object.keys(dependencies)) {
      const to = entries.get(name);
      if (to) imports.push({ from: path, to, names: ['dependencies'] });
    }
  const print = (title: string, some: readonly Import[]): void => {
    console.log(title);
    for (const { from, to, names } of some) console.log(`  ${from} → ${to} (${names.join(', ')})`);
  };
  const [found, others] = [circles(imports), refused(imports, readAllowed(read('docs/architecture.md')))];
  for (const circle of found) print('Rooms that import each other:', circle);
  if (others.length > 0) print('Imports that docs/architecture.md does not allow:', others);
  const count = found.length + others.length;
  console.log(count === 0 ? 'Rooms: no problems.' : `Rooms: ${count} problems.`);
  process.exitCode = count === 0 ? 0 : 1;
}
