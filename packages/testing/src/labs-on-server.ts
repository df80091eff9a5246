import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lab } from '@gantry/lab';
import { refusalOf } from '@gantry/lab/host';
import type { PageFiles } from './page-files.ts';
import { takePageReports } from './page-reports.ts';

/** Labs behind one server. */
export interface LabsOnServer {
  /** Serves a lab until the returned function is called. */
  add(lab: Lab): () => void;
  /** Serves a request to the kit's page, its reports, or the lab that the request is meant for. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void>;
}

const tool = { name: 'The server of a test', own: '/kit/' };

/** @param page Files of the kit's page, where no runner serves a page of its own. */
export function createLabsOnServer(page?: PageFiles): LabsOnServer {
  const labs = new Map<string, Lab>();

  /** Returns the lab that a request names by its header or path, or the newest. */
  function labOf({ headers }: IncomingMessage, path: string): Lab | undefined {
    const named = headers['gantry-lab'] ?? /^\/gantry\/apps\/[^/]+\/[^/~]+~([\w-]+)\//.exec(path)?.[1];
    return typeof named === 'string' ? labs.get(named) : [...labs.values()].at(-1); // requests of scripts and pictures name none
  }

  return {
    add(lab) {
      labs.set(lab.name, lab);
      return () => labs.delete(lab.name);
    },
    async serve(incoming, outgoing, path) {
      const { localPort = 0 } = incoming.socket;
      const refusal = refusalOf(incoming, path, localPort, tool);
      if (refusal !== undefined) return void outgoing.writeHead(403).end(refusal);
      if (page?.has(path)) return page.send(path, outgoing, `127.0.0.1:${localPort}`);
      if (path === '/kit/record' && incoming.method === 'POST') {
        return takePageReports(incoming, outgoing, (name) => labs.get(name));
      }
      const lab = labOf(incoming, path);
      if (lab) lab.listener(incoming, outgoing);
      else outgoing.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This test is over.');
    },
  };
}

/** Returns the path of a request; `undefined` for an invalid address. */
export function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : undefined;
}
