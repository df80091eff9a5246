import { defineConfig } from 'vite';

// The script that a site's page loads: one ES module with everything in it. Not Vite's library mode, which leaves white space.
export default defineConfig({
  resolve: { conditions: ['source'] },
  build: {
    emptyOutDir: false, // the rest of dist is TypeScript's
    modulePreload: false,
    target: 'es2022',
    rolldownOptions: { input: 'src/script.ts', output: { entryFileNames: 'container.js', minify: true } },
  },
});
