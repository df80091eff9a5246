import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lab } from '@gantry/lab';
import { refusalOf } from '@gantry/lab/host';
import { createLabsOnServer } from './labs-on-server.ts';
import { openPageFiles, type PageFiles } from './page-files.ts';
import { takePageReports } from './page-reports.ts';

/** The server of a worker: its port stays, and its labs come and go with the tests. */
export interface KitServer {
  /** Origin, without a slash at its end. */
  readonly url: string;
  /** Serves a lab until the returned function is called. */
  add(lab: Lab): () => void;
  close(): Promise<void>;
}

const tool = { name: 'The server of a test', own: '/kit/' };

/**
 * Starts the server on a free port of 127.0.0.1.
 *
 * @throws Error with the cure, where the kit's page is not built or the port cannot be opened.
 */
export async function startKitServer(): Promise<KitServer> {
  const labs = createLabsOnServer();
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: Error) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
      outgoing.end(error.message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  const page: PageFiles = await openPageFiles(host).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = pathOf(incoming, host);
    if (path === undefined) return void outgoing.writeHead(400).end();
    const refusal = refusalOf(incoming, path, port, tool);
    if (refusal !== undefined) return void outgoing.writeHead(403).end(refusal);
    if (page.has(path)) return page.send(path, outgoing);
    if (path === '/kit/record' && incoming.method === 'POST') {
      return takePageReports(incoming, outgoing, labs.named);
    }
    const lab = labs.of(incoming, path);
    if (lab) lab.listener(incoming, outgoing);
    else outgoing.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This test is over.');
  }

  return {
    url: `http://${host}`,
    add: labs.add,
    close,
  };
}

function pathOf({ url = '/' }: IncomingMessage, host: string): string | undefined {
  return URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`).pathname : undefined;
}
