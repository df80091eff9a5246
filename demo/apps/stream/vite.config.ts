import { defaultClientConditions, defineConfig } from 'vite';

// Resolves packages of this repository to their sources.
export default defineConfig({ base: './', resolve: { conditions: ['@gantry/source', ...defaultClientConditions] } });
