import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, resolve } from 'node:path';
import { createRecord, type Record } from '@gantry/lab';
import { createLabs } from './labs.ts';
import { pageFiles } from './page-files.ts';
import { createRecordRoute } from './record-route.ts';
import type { Route } from './route.ts';
import { createStories } from './stories/stories.ts';
import { createStoriesRoute } from './stories/stories-route.ts';

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
  const apps = folders.map((folder) => ({ id: basename(resolve(folder)), folder: resolve(folder) }));
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { route: recordRoute, events } = createRecordRoute(record);
  const stories = createStories({ apps: () => apps, onChange: () => events.tell({ type: 'stories' }) });
  const labs = createLabs({ url, apps: () => apps, record, stories });
  const routes: readonly Route[] = [pageFiles, labs.route, createStoriesRoute(stories), recordRoute];

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: search } = new URL(incoming.url ?? '/', url);
    for (const route of routes) {
      if (await route({ incoming, outgoing, method: incoming.method ?? 'GET', path, search })) return;
    }
    labs.pass(incoming, outgoing);
  }

  return {
    url,
    record,
    async close() {
      events.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await labs.close();
      await stories.close();
    },
  };
}
