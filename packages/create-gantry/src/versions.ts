// The only list of versions that a new gadget installs. They are exact, so that results do not
// depend on the day; a test compares them with the repository's lock files, where they are tested
// together.

/** Versions of third-party packages. */
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

/** vue-tsc uses an API of TypeScript that version 7 does not have. */
export const typescriptForVue = '5.9.3';
