import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, readServerConfiguration, startServer } from '@gantry/server';
import { addConsumer, importWorld } from '@gantry/service';
import { gantry, type Process, start } from '../packages/cli/test/real-site.ts';
import { viewerKey, viewerToken } from '../packages/server/test/viewer-token.ts';
import { saveApp } from '../packages/service/test/apps.ts';

/** A site on which two friends can use a newly written app. */
export interface ScoreSite {
  readonly url: string;
  /** Two members who are friends. */
  readonly friends: readonly [string, string];
  /** Path of a page with the app. */
  readonly page: string;
  /** Cookie of the signed-in member. */
  readonly cookie: string;
  /** Runs the guide's `gantry app add` with the folder. */
  add(folder: string): Promise<void>;
  close(): Promise<void>;
}

// Unknown to the demo's world: the app, its id, and these members.
export const appId = 'score-4711';
const friends = ['pia-q', 'quentin.r'] as const;
const world = {
  members: friends.map((id) => ({ id, displayName: id === 'pia-q' ? 'Pia' : 'Quentin' })),
  friendships: [friends],
};

/** The app's two code blocks in the page about calls. */
export async function writeFromGuide(): Promise<string> {
  const guide = await readFile(join(import.meta.dirname, '../docs/app-api.md'), 'utf8');
  const [, chapter = ''] = guide.split('## Keeping a score\n');
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(chapter)?.[1] as string;
  const folder = await mkdtemp(join(tmpdir(), 'gantry-score-'));
  await writeFile(join(folder, 'gadget.json'), block('json'));
  await writeFile(join(folder, 'index.html'), block('html'));
  return folder;
}

function pageWith(app: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Home</title>
    <script type="module" src="/gantry/container.js"></script><main><h1>Home</h1><gantry-gadget app="${app}" heading></gantry-gadget></main>`;
}

/** The demo in its own process, with its own members; the app is new to it. */
export async function demoSite(demo: { readonly url: string; readonly data: string }): Promise<ScoreSite> {
  const text = await readFile(join(demo.data, 'tern-quay', 'world.json'), 'utf8');
  const { friendships, blocks } = JSON.parse(text) as Record<string, [string, string][]>;
  const [one, two] = (friendships ?? []).find(
    ([a, b]) => !(blocks ?? []).some((pair) => pair.includes(a) || pair.includes(b)),
  ) as [string, string];
  return {
    url: demo.url,
    friends: [one, two],
    page: `/apps/${appId}`,
    cookie: 'demo_member',
    add: (folder) => gantry(['app', 'add', folder, '--id', appId, '--data', demo.data], {}),
    async close() {},
  };
}

/** A site with its own members and its own sign-in. */
export async function ownSite(): Promise<ScoreSite> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-own-'));
  const server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data], {}),
    viewer: async (incoming) => /member=([^;]+)/.exec(incoming.headers.get('cookie') ?? '')?.[1],
    site: async () => new Response(pageWith(appId), { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    prepare: async (stores) => void (await importWorld(stores.db, world, { ...stores, folder: data })),
  });
  return {
    ...{ url: server.url, friends, page: '/', cookie: 'member' },
    add: (folder) => gantry(['app', 'add', folder, '--id', appId, '--data', data], {}),
    async close() {
      await server.close();
      await rm(data, { recursive: true });
    },
  };
}

/**
 * A site in another language with `gantry proxy` below `/gantry/`. A second Gantry provides its
 * members and API.
 */
export async function proxiedSite({ isTold }: { readonly isTold: boolean }): Promise<ScoreSite> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-two-'));
  const configuration = readServerConfiguration(['--port', '0', '--data', join(folder, 'second')], {});
  const second: RunningServer = await startServer({ configuration });
  const { db, secretKey } = second.stores;
  await importWorld(db, world, { ...second.stores, folder });
  await saveApp(db, { id: appId, title: 'Score' });
  const app = await addConsumer(db, { secretKey, kind: 'app', appId, container: true });
  const records = await addConsumer(db, { secretKey, kind: 'admin', anyMember: true });
  let proxy: Process | undefined;

  const pages = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/gantry/')) passOn(incoming, outgoing);
    else void answerPage(incoming, outgoing);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(pages.address() as AddressInfo).port}`;
  const env = { GANTRY_DATA: join(folder, 'proxy'), GANTRY_VIEWER_KEY: viewerKey };

  async function answerPage(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const member = /member=([^;]+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? '';
    const cookie = `gantry_viewer=${viewerToken(member, url)}; Path=/; Max-Age=300; HttpOnly; SameSite=Lax`;
    outgoing.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': cookie }).end(pageWith(appId));
  }
  function passOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: proxy?.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  return {
    ...{ url, friends, page: '/', cookie: 'member' },
    async add(files) {
      await mkdir(env.GANTRY_DATA, { recursive: true });
      const key = ['--key', app.key];
      await gantry(['app', 'add', files, '--id', appId, ...key], { ...env, GANTRY_APP_SECRET: app.secret });
      const keyFlags = isTold ? ['--records-key', records.key] : [];
      const secret = isTold ? { GANTRY_RECORDS_SECRET: records.secret } : {};
      const flags = ['--upstream', `${second.url}/social/rest`, '--url', url, ...keyFlags];
      proxy = await start('proxy', flags, { ...env, ...secret });
    },
    async close() {
      await proxy?.stop();
      pages.closeAllConnections();
      pages.close();
      await second.close();
      await rm(folder, { recursive: true });
    },
  };
}
