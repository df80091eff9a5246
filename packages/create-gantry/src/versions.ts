// The one place that names versions of what a new gadget installs. Exact, so that a gadget made on two days is the same;
// a test compares them with the lock files of the repository, in which all of it is tried together.

/** Versions of packages that others make. */
export const versions = {
  '@playwright/test': '1.65.1',
  '@types/node': '24.19.2',
  '@types/react': '19.3.0',
  '@types/react-dom': '19.3.0',
  '@vitejs/plugin-react': '6.3.0',
  '@vitejs/plugin-vue': '6.0.11',
  react: '19.3.1',
  'react-dom': '19.3.1',
  typescript: '7.0.2',
  vite: '8.3.8',
  vue: '3.5.45',
  'vue-tsc': '3.3.14',
} as const;

/** vue-tsc drives TypeScript through an interface that version 7 does not have. */
export const typescriptForVue = '5.9.3';
