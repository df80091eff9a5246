import { defaultClientConditions, defineConfig } from 'vite';

// Packages of this repository are used from their sources.
export default defineConfig({ base: './', resolve: { conditions: ['@gantry/source', ...defaultClientConditions] } });
