import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lab } from '@gantry/lab';
import { refusalOf } from '@gantry/lab/host';
import { openPageFiles } from './page-files.ts';
import { takePageReports } from './page-reports.ts';

const tool = { name: 'The server of a test', own: '/kit/' };

/**
 * Starts the server of a worker on a free port of 127.0.0.1. Its labs come and go with the tests.
 *
 * @throws Error with the cure, where the kit's page is not built or the port cannot be opened.
 */
export async function startKitServer() {
  const page = await openPageFiles();
  const labs = new Map<string, Lab>();
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

  /** Serves the kit's page, takes its reports, or asks the lab that the request is meant for. */
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void> {
    const refusal = refusalOf(incoming, path, port, tool);
    if (refusal !== undefined) return void outgoing.writeHead(403).end(refusal);
    if (page.has(path)) return page.send(path, outgoing, `127.0.0.1:${port}`);
    if (path === '/kit/record' && incoming.method === 'POST') {
      return takePageReports(incoming, outgoing, (name) => labs.get(name));
    }
    const lab = labOf(incoming, path);
    if (lab) lab.listener(incoming, outgoing);
    else outgoing.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This test is over.');
  }

  /** Returns the lab that a request names by its header or path, or the newest. */
  function labOf({ headers }: IncomingMessage, path: string): Lab | undefined {
    const named = headers['gantry-lab'] ?? /^\/gantry\/apps\/[^/]+\/[^/~]+~([\w-]+)\//.exec(path)?.[1];
    return typeof named === 'string' ? labs.get(named) : [...labs.values()].at(-1);
  }

  return {
    /** Origin, without a slash at its end. */
    url: `http://127.0.0.1:${port}`,
    /** Serves a lab until the returned function is called. */
    add(lab: Lab): () => void {
      labs.set(lab.name, lab);
      return () => void labs.delete(lab.name);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the path of a request; `undefined` for an invalid address. */
function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : undefined;
}
