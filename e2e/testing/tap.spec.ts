import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as kit } from '@gantry/testing';
import type { Osapi } from '@gantry/osapi';
import type { Frame, Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { attachTap, type Tap } from '../../packages/testing/src/site-mode/attach-tap.ts';
import type { Sighting } from '../../packages/testing/src/site-mode/read-port.ts';

declare const osapi: Osapi & { readonly on: (name: string, listener: () => void) => void };

interface Session {
  readonly page: Page;
  /** Adds a gadget, and returns its frame. */
  show(app: string, options?: { readonly inShadow?: boolean }): Promise<Frame>;
  readonly tap: Tap;
  readonly sightings: Sighting[];
}

const folders: string[] = [];
let root: string;
kit.beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gantry-tap-'));
  for (const name of ['one', 'two']) {
    const folder = join(root, name);
    await mkdir(folder);
    const manifest = { name, page: 'index.html', height: 90, uses: ['people.get', 'appdata.get', 'appdata.update', 'activities.create'] };
    await writeFile(join(folder, 'gadget.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>App</title><script src="/gantry/osapi.js"></script><p>app');
    folders.push(folder);
  }
});
kit.afterAll(() => rm(root, { recursive: true }));

const script = build({
  configFile: false,
  logLevel: 'silent',
  resolve: { conditions: ['@gantry/source'] },
  build: { write: false, minify: false, lib: { entry: join(import.meta.dirname, 'tap-page.ts'), formats: ['es'] } },
});

const test = kit.extend<{ session: Session }>({
  apps: async ({ browserName: _ }, use) => use(folders),
  session: async ({ page, lab, kit: { server } }, use) => {
    const [built] = (await script) as Rolldown.RolldownOutput[];
    const chunks = built?.output.filter((one) => one.type === 'chunk') ?? [];
    const sightings: Sighting[] = [];
    const tap = await attachTap(page, { onSighting: (sighting) => sightings.push(sighting) });
    await page.route(`${server.url}/kit/test/**`, (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1);
      const chunk = chunks.find(({ fileName, isEntry }) => (name === 'page.js' ? isEntry : fileName.endsWith(String(name))));
      return route.fulfill({ contentType: 'text/javascript', body: chunk?.code ?? '' });
    });
    await page.route(`${server.url}/site?*`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><script type="module" src="/kit/test/page.js"></script>' }),
    );
    await page.goto(`${server.url}/site?lab=${lab.name}`);
    await page.waitForFunction(() => 'tapPage' in window);
    await use({
      page,
      tap,
      sightings,
      async show(app, options) {
        const before = new Set(page.frames());
        await page.evaluate(([id, more]) => window.tapPage.show(id, more), [app, options] as const);
        return page.frames().find((frame) => !before.has(frame)) as Frame;
      },
    });
  },
});

/** Sessions of an app with its page, each of which both must tell alike. */
const sessions: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  async 'a handshake'({ show }) {
    await show('one');
  },
  async 'a call'({ show }) {
    const frame = await show('one');
    await frame.evaluate(() => osapi.people.get({ userId: '@viewer' }));
  },
};

for (const [name, run] of Object.entries(sessions)) {
  test(`the tap tells of ${name} what the page's own observer tells`, async ({ session }) => {
    await run(session);
    const [observed, tapped] = await both(session);
    expect(tapped).toEqual(observed);
  });
}

/** What both heard, without what only a page knows. */
async function both({ page, tap, sightings }: Session): Promise<readonly [unknown, unknown]> {
  await tap.pull();
  const heard = (await page.evaluate(() => window.tapPage.heard)).map((text) => JSON.parse(text) as Sighting);
  console.log(heard, sightings)
  return [canonical(heard), canonical(sightings)];
}

function canonical(entries: readonly Sighting[]): readonly unknown[] {
  return entries
    .filter(({ kind }) => kind !== 'decision' && kind !== 'load')
    .map((entry) => {
      const { atMs: _, tookMs: __, ...rest } = { tookMs: 0, ...entry };
      return rest;
    });
}
