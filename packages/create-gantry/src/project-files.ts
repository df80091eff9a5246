import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GadgetNames } from './names.ts';
import { type PackageManager, withCommandsOf } from './package-manager.ts';
import type { Template } from './templates.ts';

/** Input of a new gadget's files. */
export interface ProjectContext extends GadgetNames {
  readonly template: Template;
  readonly manager: PackageManager;
  /** Version of Gantry's packages. */
  readonly version: string;
  /** Specifiers of tarballs by package. Absent: packages come from the registry. */
  readonly tarballs?: Readonly<Record<string, string>> | undefined;
}

const layers = fileURLToPath(new URL('../templates/', import.meta.url));

/** Returns the files of a new gadget, by path. */
export function projectFiles(context: ProjectContext): ReadonlyMap<string, string> {
  const { template } = context;
  const files = new Map([['package.json', json(packageJson(context))]]);
  if (template.typescript) files.set('tsconfig.json', json(tsconfig(template.typescript)));
  for (const layer of template.layers) {
    for (const [path, text] of filesOf(join(layers, layer))) files.set(path, filled(path, text, context));
  }
  if (!template.typescript) inlineStyle(files);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads a folder's files. npm leaves dotfiles out of tarballs, so their names begin with `_`. */
function filesOf(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(folder, file).replaceAll('\\', '/').replace(/^_/, '.'), readFileSync(file, 'utf8')]);
}

/** Fills in the gadget's names and commands. Templates also work as they are. */
function filled(path: string, text: string, { id, title, manager, template }: ProjectContext): string {
  if (path === 'gadget.json') return text.replace('"My gadget"', () => JSON.stringify(title));
  if (path.endsWith('.html')) return text.replace('<title>My gadget<', () => `<title>${escaped(title)}<`);
  const named = text.replaceAll('my-gadget', id);
  if (path.endsWith('.yml')) return workflow(named, manager);
  return /\.(md|ts)$/.test(path) ? withCommandsOf(manager, partsFor(template, named)) : named;
}

/** Keeps the part for gadgets with a build or without: `<!-- built -->…<!-- plain -->…`. */
function partsFor({ scripts }: Template, text: string): string {
  const isBuilt = 'build' in scripts;
  return text.replace(
    /<!-- built -->\n([\s\S]*?)<!-- plain -->\n([\s\S]*?)<!-- end -->\n/g,
    (_, built: string, plain: string) => (isBuilt ? built : plain),
  );
}

/** Adds a step that installs another package manager than npm, in the same version. */
function workflow(text: string, manager: PackageManager): string {
  const { name, version } = manager;
  const commands = withCommandsOf(manager, text);
  if (name === 'npm') return commands;
  const step = `      - run: npm install --global ${name}${version === undefined ? '' : `@${version}`}\n`;
  return commands.replace(/(?= {6}- run: )/, () => step);
}

function packageJson({ id, template, tarballs = {}, version, manager }: ProjectContext): object {
  // npm refuses to add a package that is overridden, so what the guide for testers adds is here.
  const added = testing in tarballs ? [testing] : [];
  const fromGantry = [...template.own, ...added].map((name): [string, string] => [name, tarballs[name] ?? version]);
  const packages = Object.fromEntries(
    [...fromGantry, ...Object.entries(template.packages)].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return {
    name: id.toLowerCase(),
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: template.scripts,
    devDependencies: packages,
    ...(Object.keys(tarballs).length > 0 && overriding(manager, tarballs)),
  };
}

const testing = '@gantry/testing';

/** Overrides the versions that packages in tarballs depend on, which are in no registry. */
function overriding({ name }: PackageManager, tarballs: Readonly<Record<string, string>>): object {
  if (name === 'pnpm') return { pnpm: { overrides: tarballs } };
  return name === 'yarn' ? { resolutions: tarballs } : { overrides: tarballs };
}

function tsconfig(more: Readonly<Record<string, unknown>>): object {
  return {
    compilerOptions: {
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      ...more,
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node', 'vite/client'],
    },
    include: ['src', 'test', '*.ts'],
  };
}

/** Inlines the style into the one HTML file of a gadget without a build. */
function inlineStyle(files: Map<string, string>): void {
  const page = files.get('index.html') ?? '';
  const style = files.get('src/style.css') ?? '';
  const lines = style.trimEnd().replace(/^(?=.)/gm, '      ');
  const link = '    <link rel="stylesheet" href="./src/style.css" />\n';
  files.set(
    'index.html',
    page.replace(link, () => `    <style>\n${lines}\n    </style>\n`),
  );
  files.delete('src/style.css');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function json(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
