import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppFiles } from '../write-app.ts';

/** A site that serves an app's documents in plain frames, without headers. */
export interface PlainSite {
  readonly origin: string;
  /** Returns the address of a page with the app's document in a frame. */
  pageWith(file: string): string;
  close(): void;
}

export async function openPlainSite(files: AppFiles): Promise<PlainSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '', 'http://plain');
    const name = pathname.slice(1);
    if (name === 'out') return response.writeHead(302, { Location: searchParams.get('to') ?? '/' }).end();
    const page = name === 'frame-of' ? `<iframe src="/${decodeURIComponent(search.slice(1))}"></iframe>` : files[name];
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    return response.writeHead(200, { 'Content-Type': type }).end(page ?? '<!doctype html><title>Plain</title>');
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pageWith: (file) => `${origin}/frame-of?${file}${encodeURIComponent(fragment(origin))}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the fragment that a container of a site writes into the address of an app. */
export function fragment(site: string): string {
  return `#gantry=1.x.${encodeURIComponent(site)}`;
}
