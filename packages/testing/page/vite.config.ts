import { defineConfig } from 'vite';

/** The page in which tests mount gadgets, which the kit's server serves below `/kit/page/`. */
export default defineConfig({
  base: '/kit/page/',
  resolve: { conditions: ['@gantry/source'] },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { output: { codeSplitting: false } }, // the cache of a test's browser is empty, so each file costs a round trip
  },
});
