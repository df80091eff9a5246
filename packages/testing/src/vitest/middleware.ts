import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusalOf } from '@gantry/lab/host';
import { createLabsOnServer, type LabsOnServer } from '../labs-on-server.ts';
import { takePageReports } from '../page-reports.ts';

export interface KitMiddleware {
  readonly labs: LabsOnServer;
  handle(incoming: IncomingMessage, outgoing: ServerResponse, next: (error?: unknown) => void): void;
}

const tool = { name: 'The server of a test', own: '/kit/' };

/** Makes middleware with labs, and the record of their pages, for the server of a test runner. */
export function createMiddleware(port: () => number): KitMiddleware {
  const labs = createLabsOnServer();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void> {
    const refusal = refusalOf(incoming, path, port(), tool);
    if (refusal !== undefined) return void outgoing.writeHead(403).end(refusal);
    if (path === '/kit/record' && incoming.method === 'POST') {
      return takePageReports(incoming, outgoing, labs.named);
    }
    const lab = labs.of(incoming, path);
    if (lab) lab.listener(incoming, outgoing);
    else outgoing.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This test is over.');
  }

  return {
    labs,
    handle(incoming, outgoing, next) {
      const path = pathOf(incoming.url ?? '/');
      const isOurs = path.startsWith('/gantry/') || path === '/kit/record';
      if (isOurs) serve(incoming, outgoing, path).catch(next);
      else next();
    },
  };
}

function pathOf(url: string): string {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : '';
}
