import { defineConfig } from 'vite';

/** Scripts of /gantry/self-test: `page`, and `probe`, which is inlined, so it imports no file. */
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['@gantry/source'] },
  build: {
    emptyOutDir: false, // each build writes one of the two
    modulePreload: false,
    outDir: '../../../dist/self-test-scripts',
    target: 'es2022',
    lib: { entry: `${mode}.ts`, formats: ['es'], fileName: () => `${mode}.js` },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
}));
