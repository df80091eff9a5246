import { defineConfig, type Plugin } from 'vite';

// The script that a site's page loads, and beside it what it fetches when it is needed.
export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  plugins: [minifiedStyles()],
  build: {
    emptyOutDir: false, // the rest of dist is TypeScript's
    modulePreload: false,
    target: 'es2022',
    cssMinify: 'lightningcss',
    cssTarget: 'esnext', // minified, not lowered
    // A library, else each `import()` is wrapped in what fetches style sheets. The chunks that each
    // gadget needs at its start are entries, too, so that later ones import from them what they
    // share: else both would import that from one more, after a round trip.
    lib: {
      entry: {
        container: 'src/script.ts',
        'app-load': 'src/element/app-load.ts',
        'open-outbox': 'src/outbox/open-outbox.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension', // pages import from it too
      output: {
        entryFileNames: ({ name }) => (name === 'container' ? 'container.js' : 'chunks/[name]-[hash].js'),
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Each with all that it imports: a chunk of its own would be a round trip more (ADR 14).
        codeSplitting: {
          groups: [
            { name: 'container', test: /\/src\/script\.ts$/, priority: 1 },
            {
              name: 'app-load',
              test: /\/src\/(?:element\/app-load|chrome\/(?:focused|text-element)|layers\/page-layers)\.ts$/,
            },
            { name: 'open-outbox', test: /\/src\/outbox\/open-outbox\.ts$/ },
          ],
        },
        minify: true,
        comments: false,
      },
    },
  },
});

/** Has Vite minify style sheets as CSS: each `…-styles.ts` exports nothing but sheets. */
function minifiedStyles(): Plugin {
  const sheets = new Map<string, string>();
  return {
    name: 'minified-styles',
    enforce: 'pre',
    resolveId: (id) => (sheets.has(id) ? id : undefined),
    async load(id) {
      if (!id.endsWith('-styles.ts')) return sheets.get(id);
      const exported: Readonly<Record<string, string>> = await import(id);
      const lines = Object.entries(exported).map(([name, sheet]) => {
        const path = `${id}/${name}.css?inline`;
        sheets.set(path, sheet);
        return `export { default as ${name} } from '${path}';`;
      });
      return lines.join('\n');
    },
  };
}
