import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Lab } from '@gantry/lab';
import { pageHeaders, readPageHappening, refusalOf } from '@gantry/lab/host';

/** The one server of a worker: its port stays, and the labs behind it come and go with the tests. */
export interface KitServer {
  /** Origin, without a slash at its end. */
  readonly url: string;
  /** Serves a lab until the returned function is called. */
  add(lab: Lab): () => void;
  close(): Promise<void>;
}

const dist = join(import.meta.dirname, '..', 'dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
const mostBytes = 4 * 1024 * 1024;

/** Starts the server on a free port of 127.0.0.1. */
export async function startKitServer(): Promise<KitServer> {
  const labs = new Map<string, Lab>();
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

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname: path } = new URL(incoming.url ?? '/', `http://${host}`);
    const refusal = refusalOf(incoming, path, port);
    if (refusal !== undefined) return void outgoing.writeHead(403).end(refusal);
    if (path === '/' || path.startsWith('/kit/page/')) return sendPage(path, outgoing);
    if (path === '/kit/record' && incoming.method === 'POST') return takeReports(incoming, outgoing);
    const lab = labOf(incoming, path);
    if (lab) lab.listener(incoming, outgoing);
    else outgoing.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This test is over.');
  }

  async function sendPage(path: string, outgoing: ServerResponse): Promise<void> {
    const file = path === '/' ? 'index.html' : /^\/kit\/page\/((?:assets\/)?[\w.-]+)$/.exec(path)?.[1];
    const content = file && (await readFile(join(dist, 'page', file)).catch(() => undefined));
    if (!content) return void outgoing.writeHead(404).end();
    for (const [name, value] of Object.entries(pageHeaders({ host, remote: [] }))) outgoing.setHeader(name, value);
    outgoing.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
  }

  async function takeReports(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const reports: unknown = body.length > mostBytes ? [] : JSON.parse(body);
    for (const report of Array.isArray(reports) ? reports : []) {
      const known = readPageHappening(report);
      if (known) labs.get(known.lab)?.record.add({ ...known, atMs: labs.get(known.lab)?.clock.now() ?? 0 });
    }
    outgoing.writeHead(204).end();
  }

  function labOf({ headers }: IncomingMessage, path: string): Lab | undefined {
    const named = headers['gantry-lab'] ?? /^\/gantry\/apps\/[^/]+\/[^/~]+~([\w-]+)\//.exec(path)?.[1];
    return typeof named === 'string' ? labs.get(named) : [...labs.values()].at(-1); // scripts and pictures name none
  }

  return {
    url: `http://${host}`,
    add(lab) {
      labs.set(lab.name, lab);
      return () => labs.delete(lab.name);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
