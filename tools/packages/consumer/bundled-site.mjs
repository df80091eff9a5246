// A site whose page and scripts were built by Vite in the folder beside this file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readServerConfiguration, runServer } from '@gantry/server';

const types = { html: 'text/html; charset=utf-8', js: 'text/javascript' };

await runServer({
  configuration: readServerConfiguration(process.argv.slice(2), process.env),
  viewer: async () => 'ada',
  async site(request) {
    const { pathname } = new URL(request.url);
    const path = /^\/assets\/[\w.-]+\.js$/.test(pathname) ? pathname : '/index.html';
    const body = await readFile(join(import.meta.dirname, 'dist', path));
    return new Response(body, { headers: { 'Content-Type': types[path.split('.').at(-1)] } });
  },
});
