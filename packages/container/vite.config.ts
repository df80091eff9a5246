import { defineConfig } from 'vite';

// The script that a site's page loads, and beside it what it fetches when it is needed. Not Vite's library mode, which leaves white space.
export default defineConfig({
  resolve: { conditions: ['source'] },
  build: {
    emptyOutDir: false, // the rest of dist is TypeScript's
    modulePreload: false,
    target: 'es2022',
    rolldownOptions: {
      input: 'src/script.ts',
      output: { entryFileNames: 'container.js', chunkFileNames: 'chunks/[name]-[hash].js', minify: true },
    },
  },
});
