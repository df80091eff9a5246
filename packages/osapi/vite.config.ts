import { defineConfig } from 'vite';

/** The SDK as the one script that an app's page loads. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@gantry/source'] },
  build: {
    lib: { entry: 'src/script.ts', formats: ['iife'], name: 'gantry', fileName: () => 'osapi.js' },
    target: 'es2022',
    emptyOutDir: false, // the types live there, too
    minify: true,
  },
});
