import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';

export interface BridgeServer {
  /** Origin of the container's page. */
  readonly origin: string;
  /** Origin of apps that have one of their own. */
  readonly appOrigin: string;
  close(): void;
}

/**
 * Serves a page with the container's end of the bridge, and documents for its frames. Scripts are
 * built in memory.
 */
export async function startBridgeServer(): Promise<BridgeServer> {
  const [page, app, osapi] = await Promise.all([
    bundle('e2e/bridge/host-page.ts'),
    bundle('e2e/bridge/raw-app.ts'),
    bundle('packages/osapi/src/script.ts'),
  ]);
  const html = (body: string, doctype = '<!doctype html>') =>
    ['text/html', `${doctype}<title>Bridge</title>${body}`] as const;
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': html('<h1>Page</h1><script src="/host-page.js"></script>'),
    '/raw': html('<script src="/raw-app.js"></script>'),
    '/app': html('<script src="/osapi.js"></script><script>osapi.people.getViewer().execute(() => {})</script>'),
    // Leaves as soon as it has its port, while an image still delays its load event.
    '/hasty': html(
      '<script src="/osapi.js"></script><script>osapi.ready.then(() => location.replace("/quirks"))</script><img src="/never">',
    ),
    '/slow': html('<script src="/osapi.js"></script><img src="/never">'),
    '/quirks': html('<script src="/osapi.js"></script><body>', ''),
    '/host-page.js': ['text/javascript', page],
    '/raw-app.js': ['text/javascript', app],
    '/osapi.js': ['text/javascript', osapi],
  };
  const server = createServer(({ url = '/', headers: { host = '' } }, response) => {
    // Redirects to another origin than the frame's; the fragment is kept.
    if (url === '/moved') {
      response.writeHead(302, { Location: `http://${host.replace('app.', 'other.')}/raw` }).end();
      return;
    }
    if (url === '/never') return; // ends with the server
    const [type, body] = files[url] ?? html('Not found');
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    appOrigin: `http://app.localhost:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gantry/source'] },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, '../..', entry), formats: ['iife'], name: 'bundle', fileName: 'bundle' },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? '';
}
