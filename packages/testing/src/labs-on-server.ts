import type { IncomingMessage } from 'node:http';
import type { Lab } from '@gantry/lab';

/** Labs behind one server. */
export interface LabsOnServer {
  /** Serves a lab until the returned function is called. */
  add(lab: Lab): () => void;
  named(name: string): Lab | undefined;
  /** Returns the lab that a request is meant for: by its header, by its path, else the newest. */
  of(incoming: IncomingMessage, path: string): Lab | undefined;
}

export function createLabsOnServer(): LabsOnServer {
  const labs = new Map<string, Lab>();
  return {
    add(lab) {
      labs.set(lab.name, lab);
      return () => labs.delete(lab.name);
    },
    named: (name) => labs.get(name),
    of({ headers }, path) {
      const named = headers['gantry-lab'] ?? /^\/gantry\/apps\/[^/]+\/[^/~]+~([\w-]+)\//.exec(path)?.[1];
      return typeof named === 'string' ? labs.get(named) : [...labs.values()].at(-1); // requests of scripts and pictures name none
    },
  };
}
