// Builds the apps that are TypeScript modules, one build for each: built together they would share
// chunks, and each folder must be complete.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig(async ({ command }) => {
  if (command === 'build') await build({ ...appBuild('stream', { empty: true }), configFile: false });
  return appBuild('photos', { empty: false });
});

function appBuild(id: string, { empty }: { empty: boolean }): UserConfig {
  const folder = `apps/${id}`;
  return {
    root,
    // Relative URLs: an app does not know the address that it is served at.
    experimental: { renderBuiltUrl: (file) => `./${basename(file)}` },
    publicDir: false,
    logLevel: 'warn',
    resolve: { conditions: ['@gantry/source', 'module', 'browser'] },
    plugins: [manifest(folder)],
    build: {
      outDir: 'dist',
      emptyOutDir: empty,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: `${root}/${folder}/index.html`,
        output: { entryFileNames: `${folder}/${id}.js`, assetFileNames: `${folder}/[name][extname]` },
      },
    },
  };
}

function manifest(folder: string): Plugin {
  return {
    name: 'gadget-manifest',
    async generateBundle() {
      const source = await readFile(`${root}/${folder}/gadget.json`, 'utf8');
      this.emitFile({ type: 'asset', fileName: `${folder}/gadget.json`, source });
    },
  };
}
