import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { createLab, createRecord, type Lab, type Record, type Scenario } from '@gantry/lab';
import { toNodeListener } from '@gantry/server';
import { type LabAnswer, type LabRequest, labHeader } from './protocol.ts';

export interface DevOptions {
  /** Folders of apps, each with its `gadget.json`. */
  readonly folders: readonly string[];
  /** 0 lets the system choose. */
  readonly port?: number;
}

export interface DevServer {
  readonly url: string;
  readonly record: Record;
  close(): Promise<void>;
}

/** Starts the dev host on 127.0.0.1. */
export async function startDevServer({ folders, port = 4500 }: DevOptions): Promise<DevServer> {
  const record = createRecord();
  const labs = new Map<string, { lab: Lab; listener: ReturnType<typeof toNodeListener> }>();
  const apps = folders.map((folder) => ({ id: basename(resolve(folder)), folder: resolve(folder) }));
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function makeLab(scenario: Scenario): Promise<LabAnswer> {
    const name = randomBytes(6).toString('hex');
    const lab = await createLab({ name, url, apps, world: firstWorld, scenario, record });
    labs.set(name, { lab, listener: toNodeListener(lab.gantry) });
    const { members } = firstWorld;
    return {
      lab: name,
      apps: apps.map(({ id }) => ({ id, name: id, views: ['home'], permissions: [] })),
      personas: members.map(({ id, displayName }) => ({ id, name: displayName })),
      worlds: ['pleasant'],
    };
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', url);
    if (pathname === '/') return send(outgoing, 'index.html');
    if (pathname.startsWith('/dev/page/')) return send(outgoing, pathname.slice('/dev/page/'.length));
    if (pathname === '/dev/labs' && incoming.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { scenario } = JSON.parse(Buffer.concat(chunks).toString()) as LabRequest;
      outgoing.setHeader('Content-Type', 'application/json');
      outgoing.end(JSON.stringify(await makeLab(scenario)));
      return;
    }
    const named = incoming.headers[labHeader.toLowerCase()];
    const open = labs.get(String(named)) ?? labs.values().next().value;
    if (open) open.listener(incoming, outgoing);
    else outgoing.writeHead(404).end();
  }

  return {
    url,
    record,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { lab } of labs.values()) await lab.close();
    },
  };
}

const page = join(import.meta.dirname, '..', 'dist', 'page');
const types: Readonly<{ [extension: string]: string }> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
};

async function send(outgoing: ServerResponse, file: string): Promise<void> {
  const content = await readFile(join(page, file)).catch(() => undefined);
  if (content === undefined) {
    outgoing.writeHead(404).end();
    return;
  }
  outgoing.setHeader('Content-Type', types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  outgoing.end(content);
}

const firstWorld = {
  site: { name: 'Pleasant' },
  members: ['Ada Lovell', 'Bo Sand', 'Cy Marsh'].map((displayName, index) => ({ id: `m-${index + 1}`, displayName })),
  friendships: [
    ['m-1', 'm-2'],
    ['m-1', 'm-3'],
  ],
};
