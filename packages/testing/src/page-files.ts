import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pageHeaders } from '@gantry/lab/host';

const folder = join(import.meta.dirname, '..', 'dist', 'page');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Opens the kit's page. @throws Error with the command that builds it, if it is not built. */
export async function openPageFiles() {
  const index = await readFile(join(folder, 'index.html')).catch((cause: unknown) => {
    throw new Error('The page of @gantry/testing is not built: npm run build', { cause });
  });
  const files = new Map<string, Buffer>([['index.html', index]]);

  async function read(name: string): Promise<Buffer | undefined> {
    const file = files.get(name) ?? (await readFile(join(folder, name)).catch(() => undefined));
    if (file) files.set(name, file);
    return file;
  }

  return {
    has: (path: string): boolean => path === '/' || path.startsWith('/kit/page/'),
    /** @param host Host and port of the server: no other site frames or reads the page. */
    async send(path: string, outgoing: ServerResponse, host: string): Promise<void> {
      const name = path === '/' ? 'index.html' : /^\/kit\/page\/((?:assets\/)?[\w-][\w.-]*)$/.exec(path)?.[1];
      const content = name && (await read(name));
      if (!content) return void outgoing.writeHead(404).end();
      for (const [header, value] of Object.entries(pageHeaders({ host, remote: [] })))
        outgoing.setHeader(header, value);
      outgoing.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' }).end(content);
    },
  };
}
