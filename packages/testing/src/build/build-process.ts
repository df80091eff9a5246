// Builds one app with its own Vite, in a process of its own: configurations read files relative to
// the working folder, and plugins keep state. Prints one line of JSON.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { loadVite } from '@gantry/lab/host/vite';

/** Order of a build, as JSON in the process's only argument. */
export interface BuildOrder {
  readonly folder: string;
  readonly pages: readonly string[];
  readonly into: string;
}

export type BuildOutcome = { readonly outside: readonly string[] } | { readonly problem: string };

interface BuildError extends Error {
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
  readonly errors?: readonly BuildError[];
}

async function build({ folder, pages, into }: BuildOrder): Promise<BuildOutcome> {
  const outside = new Set<string>();
  try {
    const vite = await loadVite(folder);
    await mkdir(into, { recursive: true, mode: 0o700 });
    await vite.build({
      root: folder,
      base: './',
      logLevel: 'silent',
      build: { outDir: into, emptyOutDir: true, copyPublicDir: true },
      plugins: [
        {
          name: 'gantry-testing',
          config: ({ build: { rollupOptions, rolldownOptions } = {} }) =>
            rollupOptions?.input || rolldownOptions?.input
              ? {}
              : {
                  build: {
                    rollupOptions: {
                      input: pages.map((page) => join(folder, page)).filter((page) => existsSync(page)),
                    },
                  },
                },
          moduleParsed({ id }) {
            const file = id.replace(/[?#].*$/s, '');
            if (file.includes(`${sep}node_modules${sep}`) || file.startsWith('\0')) return;
            if (file.startsWith(sep) && !file.startsWith(folder + sep)) outside.add(file);
          },
        },
      ],
    });
    for (const manifest of [join(folder, 'gadget.json'), join(folder, 'public', 'gadget.json')]) {
      if (existsSync(manifest) && !existsSync(join(into, 'gadget.json')))
        await copyFile(manifest, join(into, 'gadget.json'));
    }
    return { outside: [...outside] };
  } catch (error) {
    return { problem: problemOf(error as BuildError, folder) };
  }
}

/** Writes Vite's message with its place. */
function problemOf(thrown: BuildError, folder: string): string {
  const error = thrown.loc ? thrown : (thrown.errors?.find(({ loc }) => loc) ?? thrown);
  const file = error.loc?.file ?? error.id?.replace(/[?#].*$/s, '');
  const { line, column = 0 } = error.loc ?? {};
  const at = file && line !== undefined ? `${relative(folder, file)}:${line}:${column + 1}` : '';
  const message = stripVTControlCharacters(error.message || thrown.message).replaceAll(`${folder}${sep}`, '');
  return `${at === '' ? '' : `${at}: `}${message}`.slice(0, 2_000);
}

const order = JSON.parse(process.argv[2] ?? '') as BuildOrder;
const folder = await realpath(order.folder);
process.chdir(folder);
const outcome = await build({ ...order, folder });
process.stdout.write(`\n${JSON.stringify(outcome)}\n`);
process.exit(0); // plugins may leave timers
