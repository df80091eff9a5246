import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import type { Operation } from '../wire/src/operations/operation.ts';
import { operation, operationIds } from '../wire/src/operations.ts';

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

/**
 * Leaves out of the operations table the columns that only servers and tools read, and writes that
 * are refused by their names.
 */
function withoutUnreadColumns(): Plugin {
  const routes: (keyof Operation)[] = ['method', 'path', 'also', 'alsoMethods'];
  const known = [...routes, 'status', 'topic', 'osapi'] as const;
  const read = [...known, 'permission', 'cache'] as const;
  const write = [...known, 'stales', 'isIdempotent', 'hasInterval'] as const;
  const columnsOf = ({ status, method }: Operation) =>
    status === 'works' ? (method === 'GET' ? read : write) : routes;
  const rows = operationIds.map((id) => [id, operation(id)] as const);
  const table = Object.fromEntries(
    rows
      .filter(([, { status, method }]) => status === 'works' || method === 'GET')
      .map(([id, row]) => [id, Object.fromEntries(columnsOf(row).map((name) => [name, row[name]]))]),
  );
  const joined = /^export const operations = \{[\s\S]*?^\} as const/m;
  const parts = /^const \w+ = \{[\s\S]*?^export const (\w+) = [\s\S]*?^\} as const satisfies Rows/m;
  return {
    name: 'without-unread-columns',
    enforce: 'pre',
    transform(code, id) {
      const [, part] = /\/wire\/src\/operations(?:\/([\w-]+))?\.ts$/.exec(id) ?? [undefined, 'operation'];
      if (part === 'operation' || part === 'call-params') return undefined;
      const shorter =
        part === undefined
          ? code.replace(joined, `export const operations = ${JSON.stringify(table)} as const`)
          : code.replace(parts, 'export const $1 = {}');
      if (shorter === code) throw new Error(`The rows of ${id} are not where they were.`);
      return { code: shorter, map: null };
    },
  };
}

/**
 * Leaves out of the table of errors what only servers say: names that nothing in these packages has
 * in quotes.
 */
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
