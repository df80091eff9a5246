import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { operations } from '../wire/src/operations.ts';

// The script that a site's page loads, and beside it what it fetches when it is needed.
export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  plugins: [withoutUnreadColumns(), withoutUnsaidErrors(), withoutWhiteSpace()],
  build: {
    emptyOutDir: false, // the rest of dist is TypeScript's
    modulePreload: false,
    target: 'es2022',
    lib: { entry: 'src/script.ts', formats: ['es'] }, // else each `import()` is wrapped in what fetches style sheets
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension', // pages import from it too
      output: {
        entryFileNames: 'container.js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        minify: true,
        comments: false,
      },
    },
  },
});

/** Leaves out of the operations table what only the proxy, the service and the SDK read, and the writes that are refused by their names. */
function withoutUnreadColumns(): Plugin {
  const unread = new Set(['osapi', 'permission', 'extension']);
  const rows = Object.entries(operations).filter(([, { status, method }]) => status === 'works' || method === 'GET');
  const table = JSON.stringify(Object.fromEntries(rows), (name, value) => (unread.has(name) ? undefined : value));
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

/** Leaves out of the table of errors what only servers say: names that nothing in these packages has in quotes. */
function withoutUnsaidErrors(): Plugin {
  const packages = join(import.meta.dirname, '..');
  const sources = globSync('{bridge,container,wire}/src/**/*.ts', { cwd: packages });
  const texts = sources.map((path) => readFileSync(join(packages, path), 'utf8')).join('\n');
  return {
    name: 'without-unsaid-errors',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/wire/src/social-error.ts')) return undefined;
      const shorter = code.replace(/^ {2}([A-Z_]+): \d+,.*\n/gm, (row, name: string) =>
        texts.includes(`'${name}'`) ? row : '',
      );
      if (shorter === code) throw new Error('The table of errors is not where it was.');
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
            .replace(/: /g, ':')
            .replace(/\b0(?=\.\d)/g, ''),
        )
        .replace(/\bhtml`[^`]*`/g, (markup) => markup.replace(/\s*\n\s*/g, ' '));
      return { code: shorter, map: null };
    },
  };
}
