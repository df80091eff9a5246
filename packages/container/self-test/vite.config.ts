import { defineConfig } from 'vite';

// The scripts of /gantry/self-test: `page`, and `probe`, which stands within documents and so imports nothing. One a build.
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['@gantry/source'] },
  build: {
    emptyOutDir: false, // the rest of dist is the container's and TypeScript's
    modulePreload: false,
    target: 'es2022',
    lib: { entry: `src/self-test/${mode}.ts`, formats: ['es'], fileName: () => `self-test-${mode}.js` },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
}));
