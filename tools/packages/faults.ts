import { builtinModules } from 'node:module';
import { join, normalize } from 'node:path/posix';
import { parseSync } from 'vite';

/** Files of a package by their path in it. */
export type Files = ReadonlyMap<string, string>;

/**
 * Returns a line for each fault in the files that a package publishes.
 *
 * @param places Paths of the packing machine, which must not be in a tarball.
 */
export function faultsOf(files: Files, places: readonly string[]): string[] {
  return [
    ...manifestFaults(files),
    ...[...files.keys()].flatMap((path) => {
      const text = files.get(path) ?? '';
      return [
        ...(/^(src|test|node_modules)\/|\.tsbuildinfo$|tsconfig.*\.json$/.test(path) ? [`${path} is published`] : []),
        ...(/^(?!templates\/).*(?<!\.d)\.ts$/.test(path) ? [`${path} is a source`] : []), // users build templates
        ...places.filter((place) => text.includes(place)).map((place) => `${path} names ${place}`),
        ...(path.endsWith('.map') ? mapFaults(path, text) : []),
        ...(/\.js$|\.d\.ts$/.test(path) ? importFaults(path, text, files) : []),
      ];
    }),
  ];
}

function manifestFaults(files: Files): string[] {
  const text = files.get('package.json') ?? '{}';
  const manifest = JSON.parse(text);
  const fields = ['license', 'description', 'repository', 'homepage', 'bugs', 'exports', 'publishConfig'];
  const targets = Object.entries<string | Record<string, string>>(manifest.exports ?? {});
  return [
    ...fields.filter((field) => manifest[field] === undefined).map((field) => `package.json has no ${field}`),
    ...(manifest.private ? ['package.json says private'] : []),
    ...(/\/src\/|@gantry\/source|"(workspace|file|link):/.test(text) ? ['package.json names sources'] : []),
    ...['README.md', 'LICENSE'].filter((path) => !files.has(path)).map((path) => `there is no ${path}`),
    ...(manifest.exports?.['./package.json'] ? [] : ['package.json is not exported']),
    ...targets.flatMap(([name, target]) => {
      const paths = typeof target === 'string' ? [target] : Object.values(target);
      const missing = paths.filter((path) => !files.has(normalize(path)));
      const isTyped = typeof target === 'string' ? name.endsWith('.json') : Object.keys(target)[0] === 'types';
      return [
        ...missing.map((path) => `${path} is missing`),
        ...(isTyped ? [] : [`${name} has no types, or not first`]),
      ];
    }),
  ];
}

function mapFaults(path: string, text: string): string[] {
  const { sources = [], sourcesContent = [] } = JSON.parse(text);
  const isWhole = sources.length > 0 && sources.length === sourcesContent.length && !sourcesContent.includes(null);
  return isWhole ? [] : [`${path} does not carry its sources`];
}

/**
 * Returns imports of missing files and of undeclared packages, which a flat `node_modules` hides.
 */
function importFaults(path: string, text: string, files: Files): string[] {
  const { name, dependencies, peerDependencies } = JSON.parse(files.get('package.json') ?? '{}');
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules]);
  const specifiers = path.endsWith('.js') ? importedByCode(path, text) : importedByTypes(path, text);
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = normalize(join(path, '..', specifier));
      const typed = path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
      return files.has(typed) ? [] : [`${path} imports ${specifier}, which is missing`];
    }
    const owner = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
    const isKnown = specifier.startsWith('node:') || declared.has(owner);
    return isKnown ? [] : [`${path} imports ${specifier}, which is not declared`];
  });
}

/**
 * Returns the specifiers of a module's imports, re-exports, dynamic imports and resolutions. Text
 * that it writes does not count.
 */
function importedByCode(path: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports, importMetas } = parseSync(path, text).module;
  const fetched = dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end));
  const resolved = importMetas.map(({ end }) => /^\.resolve\(([^)]*)/.exec(text.slice(end))?.[1] ?? '');
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...[...fetched, ...resolved].map((argument) => /^(['"`])([^'"`]*)\1$/.exec(argument.trim())?.[2] ?? ''),
  ].filter((specifier) => specifier !== '');
}

/** Returns specifiers in a declaration, where `import('…')` stands for a type. */
function importedByTypes(path: string, text: string): string[] {
  const types: string[] = [];
  JSON.stringify(parseSync(path, text).program, (_, node) => {
    if (node?.type === 'TSImportType') types.push(node.source.value);
    return node;
  });
  return [...importedByCode(path, text), ...types];
}
