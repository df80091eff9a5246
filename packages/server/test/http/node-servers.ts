import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import pino from 'pino';
import { createGantry } from '../../src/create-gantry.ts';
import { defaultLimits, type Limits } from '../../src/edge/limits.ts';
import { listen } from '../../src/http/node-server.ts';
import type { Direct, Fetch } from '../../src/http/request-listener.ts';
import { toNodeListener } from '../../src/to-node-listener.ts';

export interface Answers {
  readonly fetch: Fetch;
  readonly direct?: Direct;
  readonly limits?: Limits;
}

export interface OpenServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Servers that hand the same answers over: Gantry's own, and a site's. */
export const servers: readonly { readonly name: string; readonly open: (answers: Answers) => Promise<OpenServer> }[] = [
  { name: 'a server of its own', open: (answers) => listen({ port: 0, host: '127.0.0.1', ...answers }) },
  { name: 'the server of a site', open: (answers) => openSite(answers, async () => {}) },
  { name: 'the server of a site whose middleware takes its time', open: (answers) => openSite(answers, nextPass) },
];

/** @param before Middleware that runs before Gantry has the request. */
async function openSite(
  { fetch, direct = () => undefined, limits = defaultLimits }: Answers,
  before: () => Promise<unknown>,
): Promise<OpenServer> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-listener-'));
  const gantry = await createGantry({ data, url: 'http://localhost:4400', log: pino({ level: 'silent' }) });
  const listener = toNodeListener({ ...gantry, fetch, direct }, { limits });
  const server = createServer({ requireHostHeader: false }, async (incoming, outgoing) => {
    await before();
    listener(incoming, outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      await gantry.close();
      server.closeAllConnections();
      await rm(data, { recursive: true });
    },
  };
}
