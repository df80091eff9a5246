import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLabsOnServer, type LabsOnServer, pathOf } from './labs-on-server.ts';
import { openPageFiles } from './page-files.ts';

/** The server of a worker: its port stays, and its labs come and go with the tests. */
export interface KitServer extends Pick<LabsOnServer, 'add'> {
  /** Origin, without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the server on a free port of 127.0.0.1.
 *
 * @throws Error with the cure, where the kit's page is not built or the port cannot be opened.
 */
export async function startKitServer(): Promise<KitServer> {
  const { add, serve } = createLabsOnServer(await openPageFiles());
  const server = createServer((incoming, outgoing) => {
    const path = pathOf(incoming);
    if (path === undefined) return void outgoing.writeHead(400).end();
    serve(incoming, outgoing, path).catch((error: Error) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
      outgoing.end(error.message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    add,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
