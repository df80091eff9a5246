import { defineConfig, type Plugin } from 'vite';
import { operations } from '../wire/src/operations.ts';

// The script that a site's page loads, and beside it what it fetches when it is needed. Not Vite's library mode, which leaves white space.
export default defineConfig({
  resolve: { conditions: ['source'] },
  plugins: [withoutPreloads(), withoutUnreadColumns(), withoutWhiteSpace()],
  build: {
    emptyOutDir: false, // the rest of dist is TypeScript's
    modulePreload: false,
    target: 'es2022',
    rolldownOptions: {
      input: 'src/script.ts',
      preserveEntrySignatures: 'allow-extension', // pages import from it too
      output: { entryFileNames: 'container.js', chunkFileNames: 'chunks/[name]-[hash].js', minify: true },
    },
  },
});

/** Vite wraps each `import()` in code that fetches the part's style sheets first. Ours have none. */
function withoutPreloads(): Plugin {
  return {
    name: 'without-preloads',
    enforce: 'pre',
    load: (id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : undefined),
  };
}

/** Leaves out of the operations table what only the proxy, the service and the SDK read. */
function withoutUnreadColumns(): Plugin {
  const unread = new Set(['osapi', 'permission', 'extension']);
  const table = JSON.stringify(operations, (name, value) => (unread.has(name) ? undefined : value));
  return {
    name: 'without-unread-columns',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/wire/src/operations.ts')) return undefined;
      const shorter = code.replace(
        /^export const operations = \{[\s\S]*?^\} as const/m,
        `export const operations = ${table} as const`,
      );
      if (shorter === code) throw new Error('The operations table is not where it was.');
      return { code: shorter, map: null };
    },
  };
}

/** Minifiers of scripts leave what stands in templates as it is. */
function withoutWhiteSpace(): Plugin {
  return {
    name: 'without-white-space',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/container/src/')) return undefined;
      const shorter = code
        .replace(/\bcss`[^`]*`/g, (sheet) =>
          sheet
            .replace(/\/\*[\s\S]*?\*\//g, '')
            .replace(/\s+/g, ' ')
            .replace(/ ?([{};,]) ?/g, '$1')
            .replace(/;}/g, '}')
            .replace(/: /g, ':'),
        )
        .replace(/\bhtml`[^`]*`/g, (markup) => markup.replace(/\s*\n\s*/g, ' '));
      return { code: shorter, map: null };
    },
  };
}
