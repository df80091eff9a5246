import { defineConfig } from 'vite';

/** The script that goes first into each page of an app: one classic script, inline. */
export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  build: {
    lib: { entry: 'agent.ts', formats: ['iife'], name: 'gantryAgentScript', fileName: () => 'agent.js' },
    outDir: '../dist/agent-script',
    emptyOutDir: true,
    target: 'es2022',
  },
});
