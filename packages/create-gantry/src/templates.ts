import { typescriptForVue, versions } from './versions.ts';

export const templateNames = ['typescript', 'react', 'vue', 'plain'] as const;
export type TemplateName = (typeof templateNames)[number];

/** Summaries for the choice, parts of a line. */
export const summaries: Readonly<Record<TemplateName, string>> = {
  typescript: 'TypeScript with Vite',
  react: 'React with Vite',
  vue: 'Vue with Vite',
  plain: 'one HTML file, without a build',
};

/** A way to write a gadget. */
export interface Template {
  /** Folders of `templates/` with its files; later ones override earlier ones. */
  readonly layers: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  /** Third-party packages, all for development: a build needs them nowhere else. */
  readonly packages: Readonly<Record<string, string>>;
  /** Gantry's packages that its files import or run. */
  readonly own: readonly string[];
  /** Additional `compilerOptions`. Absent: no TypeScript of its own. */
  readonly typescript?: Readonly<Record<string, unknown>>;
}

const tools = { dev: 'gantry dev', test: 'playwright test', pictures: 'gantry pictures' };
const { dev, ...others } = tools;

function builtBy(checker: string): Template['scripts'] {
  return { dev, build: 'vite build', check: `${checker} && vite build && gantry app check dist`, ...others };
}

const testing = pick('@playwright/test');
const building = { ...testing, ...pick('@types/node', 'typescript', 'vite') };
const modules = ['@gantry/cli', '@gantry/lab', '@gantry/osapi'];

export const templates: Readonly<Record<TemplateName, Template>> = {
  typescript: {
    layers: ['common', 'module', 'typescript'],
    scripts: builtBy('tsc'),
    packages: building,
    own: modules,
    typescript: {},
  },
  react: {
    layers: ['common', 'module', 'react'],
    scripts: builtBy('tsc'),
    packages: {
      ...building,
      ...pick('@types/react', '@types/react-dom', '@vitejs/plugin-react', 'react', 'react-dom'),
    },
    own: modules,
    typescript: { jsx: 'react-jsx' },
  },
  vue: {
    layers: ['common', 'module', 'vue'],
    scripts: builtBy('vue-tsc'),
    packages: { ...building, ...pick('@vitejs/plugin-vue', 'vue', 'vue-tsc'), typescript: typescriptForVue },
    own: modules,
    typescript: {},
  },
  plain: {
    layers: ['common', 'plain'],
    scripts: { dev, check: 'gantry app check .', ...others },
    packages: testing,
    own: ['@gantry/cli', '@gantry/lab'],
  },
};

function pick(...names: (keyof typeof versions)[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}
