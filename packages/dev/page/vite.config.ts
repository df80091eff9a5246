import { defineConfig } from 'vite';

/** The dev host's page, which its server serves below `/dev/page/`. */
export default defineConfig({
  base: '/dev/page/',
  resolve: { conditions: ['@gantry/source'] },
  build: { outDir: '../dist/page', emptyOutDir: true, target: 'es2022', modulePreload: false },
});
