import { defineConfig } from 'vite';

/** The script that a test puts into the page of a running site: one classic script. */
export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  build: {
    lib: { entry: 'tap.ts', formats: ['iife'], name: 'gantryTapScript', fileName: () => 'tap.js' },
    outDir: '../dist/tap-script',
    emptyOutDir: true,
    target: 'es2022',
  },
});
