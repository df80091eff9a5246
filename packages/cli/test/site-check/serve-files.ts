import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Serves a folder as web servers do that know nothing of Gantry, and resolves with its origin.
 *
 * @param fallback Answer of an app with one page to every other address.
 */
export async function serveFiles(folder: string, fallback?: string): Promise<string> {
  const server = createServer((request, response) => {
    const file = join(folder, decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) createReadStream(file).pipe(response);
    else response.writeHead(fallback === undefined ? 404 : 200).end(fallback);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
