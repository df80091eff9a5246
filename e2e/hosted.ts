import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { addApp, type RunningServer, readServerConfiguration, startServer } from '@gantry/server';
import { importWorld } from '@gantry/service';
import { test as base, expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { freePort } from '../packages/server/test/free-port.ts';
import { type AppFiles, manifest, writeFiles } from './write-app.ts';

/**
 * Places of app documents (security rule 4). A scenario runs in each of them:
 *
 *     test.use({ apps: { friends: { 'index.html': … } } });
 *     inEachMode(() => { test('…', …) });
 */
export const modes = ['opaque', 'one origin', 'origin per app'] as const;
export type Mode = (typeof modes)[number];

/** A real site with the real SDK, container, proxy and service, in this process. */
export interface Hosted extends Pick<RunningServer, 'url' | 'stores'> {
  readonly mode: Mode;
  /** Base addresses of an app's files. */
  folderOf(app: string): string;
}

interface SiteOptions {
  /** Spec of these sites: one site for each mode, until a test of another file begins. */
  readonly file: string;
  readonly mode: Mode;
  readonly apps: Readonly<Record<string, AppFiles>>;
  readonly asking: readonly string[];
}

const world = {
  site: { name: 'Tern Quay' },
  members: ['Ann Oyster', 'Bo Whelk', 'Cy Limpet', 'Di Mussel'].map((displayName, index) => ({
    id: String(index + 1),
    displayName,
    birthday: '1990/05/17',
  })),
  friendships: [
    ['1', '2'],
    ['1', '3'],
    ['2', '4'],
  ],
};

export const test = base.extend<
  {
    /**
     * Opens a page of the site with this body as `viewer`, by default member 1; `''` is signed out.
     * The page sends `headers` too.
     */
    readonly show: (
      body: string,
      options?: { readonly viewer?: string; readonly headers?: Readonly<Record<string, string>> },
    ) => Promise<Page>;
    readonly mode: Mode;
    /** By id; the same for a whole file. */
    readonly apps: Readonly<Record<string, AppFiles>>;
    /**
     * Ids of apps that ask members for permissions; the site trusts the others. The same for a
     * whole file.
     */
    readonly asking: readonly string[];
    readonly hosted: Hosted;
  },
  { readonly sites: (options: SiteOptions) => Promise<Hosted> }
>({
  // A tall window keeps all gadgets in view: browsers throttle frames outside of it, and clicks
  // wait for their next frame.
  viewport: { width: 1280, height: 2400 },
  mode: ['opaque', { option: true }],
  // Options of the test, not of the worker, which would start a worker and browser for each file.
  apps: [{}, { option: true }],
  asking: [[], { option: true }],
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'gantry-hosted-'));
      const running = new Map<string, Promise<RunningServer>>();
      let current = '';
      const closeAll = async () => {
        for (const server of running.values()) await (await server).close();
        running.clear();
      };
      await use(async ({ file, mode, ...options }) => {
        if (file !== current) await closeAll();
        current = file;
        const place = join(folder, basename(file), mode);
        const starting = running.get(mode) ?? start({ ...options, mode, folder: place });
        running.set(mode, starting);
        const { url, stores } = await starting;
        return { mode, url, stores, folderOf: (app) => join(place, 'apps', app) };
      });
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  hosted: async ({ mode, apps, asking, sites }, use, { file }) => use(await sites({ file, mode, apps, asking })),
  show: async ({ page, context, hosted }, use) => {
    await use(async (body, { viewer = '1', headers = {} } = {}) => {
      await context.addCookies([{ name: 'viewer', value: viewer, url: hosted.url }]);
      await page.goto(`${hosted.url}/?${new URLSearchParams({ body, headers: JSON.stringify(headers) })}`);
      return page;
    });
  },
});
export { expect };

/** Declares tests for each place of app documents. */
export function inEachMode(declare: (mode: Mode) => void, places: readonly Mode[] = modes): void {
  for (const mode of places) {
    test.describe(mode, () => {
      test.use({ mode });
      declare(mode);
    });
  }
}

/** Returns the document inside a gadget's frame. */
export function frameOf(page: Page, app: string): FrameLocator {
  return page.frameLocator(`gantry-gadget[app="${app}"] iframe`);
}

/** The same once clicks reach the app. */
export async function drawnFrameOf(page: Page, app: string): Promise<FrameLocator> {
  await isDrawn(page.locator(`gantry-gadget[app="${app}"]`));
  return frameOf(page, app);
}

/** Resolves once clicks reach a gadget's app; before, they meet the skeleton over it. */
export async function isDrawn(gadget: Locator): Promise<void> {
  await expect(gadget).toHaveJSProperty('state', 'ready');
  await expect(gadget.locator('[part=skeleton]')).toHaveCount(0);
  await gadget.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Starts a site for a scenario with a browser of its own. */
export async function openHosted(options: {
  readonly mode: Mode;
  readonly apps: Readonly<Record<string, AppFiles>>;
  readonly asking?: readonly string[];
  readonly port?: number;
  /** Public address. */
  readonly url?: string;
}): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-hosted-'));
  const server = await start({ asking: [], ...options, folder });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function start(options: {
  readonly mode: Mode;
  readonly apps: Readonly<Record<string, AppFiles>>;
  readonly asking: readonly string[];
  readonly folder: string;
  readonly port?: number;
  readonly url?: string;
}): Promise<RunningServer> {
  const { mode, apps, asking, folder, url: address } = options;
  const port = options.port ?? (await freePort()); // the apps' host needs it beforehand
  const appsHost = mode === 'one origin' ? 'sandbox.localhost' : '*.apps.localhost';
  const flags = ['--port', String(port), '--data', join(folder, 'data'), ...(address ? ['--url', address] : [])];
  if (mode !== 'opaque') flags.push('--apps-host', `${appsHost}:${port}`);
  return startServer({
    configuration: readServerConfiguration(flags, {}),
    viewer: async ({ headers }) =>
      headers.get('viewer') ?? /(?:^|; )viewer=(\w+)/.exec(headers.get('cookie') ?? '')?.[1],
    site: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname === '/out') return Response.redirect(searchParams.get('to') ?? '/'); // an open redirect, as careless sites have
      if (pathname !== '/') return new Response('', { status: 404 });
      const headers = JSON.parse(searchParams.get('headers') ?? '{}');
      return new Response(pageWith(searchParams.get('body') ?? ''), {
        headers: { 'Content-Type': 'text/html', ...headers },
      });
    },
    prepare: async (stores) => {
      await importWorld(stores.db, world, { ...stores, folder });
      for (const [id, files] of Object.entries(apps)) {
        const appFolder = join(folder, 'apps', id);
        writeFiles(appFolder, { 'gadget.json': manifest(id), ...files });
        await addApp(stores, { id, folder: appFolder, live: true, trusted: !asking.includes(id) });
      }
      const installs = Object.keys(apps).flatMap((appId) => world.members.map(({ id }) => ({ appId, memberId: id })));
      await importWorld(stores.db, { ...world, installs }, { ...stores, folder }); // only installed apps may write AppData
    },
  });
}

function pageWith(body: string): string {
  return `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Home</title>
    <script type="module" src="/gantry/container.js"></script><body>${body}`;
}
