import { defineConfig } from 'vite';

// With light-dark(): rewritten for older browsers it would follow style sheets, not a scenario.
const cssTarget = ['chrome123', 'firefox120', 'safari17.5'];

/** The dev host's page, which its server serves below `/dev/page/`. */
export default defineConfig({
  base: '/dev/page/',
  resolve: { conditions: ['@gantry/source'] },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget,
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
