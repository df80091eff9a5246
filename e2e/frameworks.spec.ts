import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import vue from '@vitejs/plugin-vue';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { build, createServer, type InlineConfig, type Plugin, type Rollup } from 'vite';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
import { expect, test } from './hosted.ts';

// The examples as sites would build them, on a site with the real container.

const app = `<!doctype html><html lang="en"><title>App</title><p id="out">Here</p><script src="/gantry/osapi.js"></script>
  <script>window.born = Math.random();</script>`;

test.use({ apps: { one: { 'index.html': app }, two: { 'index.html': app } } });

const isCustomElement = (tag: string) => tag.startsWith('gantry-');
const examples: Readonly<Record<string, readonly Plugin[]>> = {
  react: [],
  vue: [vue({ template: { compilerOptions: { isCustomElement } } })],
};
const scripts = new Map<string, string>();

test.beforeAll(async () => {
  for (const [name, plugins] of Object.entries(examples)) {
    const root = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
    const output = await build({
      root,
      configFile: false,
      logLevel: 'warn',
      resolve: { conditions: ['@gantry/source'] },
      plugins: [...plugins],
      build: { write: false, modulePreload: false, rolldownOptions: { input: `${root}/index.ts` } },
    });
    scripts.set(name, (output as Rollup.RollupOutput).output[0].code);
  }
});

async function showExample(page: Page, name: string, show: (body: string) => Promise<Page>): Promise<void> {
  await page.route('**/example.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: scripts.get(name) as string }),
  );
  await show('<div id="root"></div><script type="module" src="/example.js"></script>');
}

const appsOf = (page: Page) =>
  page.locator('gantry-gadget').evaluateAll((gadgets) => gadgets.map((gadget) => gadget.getAttribute('app')));

for (const name of Object.keys(examples)) {
  test(`${name}: sets attributes and properties, hears events, reorders and removes gadgets`, async ({
    show,
    page,
  }) => {
    await showExample(page, name, show);
    await expect(page.getByRole('status').filter({ hasText: 'ready' })).toHaveText('2 ready');
    await expect(page.getByRole('heading', { name: 'one' })).toBeVisible();
    expect(
      await page
        .locator('gantry-gadget')
        .first()
        .evaluate((gadget) => (gadget as unknown as { budgets: unknown }).budgets),
    ).toEqual({ startMs: 20_000 });
    expect(await appsOf(page)).toEqual(['one', 'two']);
    await page.getByRole('button', { name: 'Reverse' }).click();
    expect(await appsOf(page)).toEqual(['two', 'one']);
    await expect(page.locator('gantry-gadget').last().frameLocator('iframe').locator('#out')).toHaveText('Here');
    await page.getByRole('button', { name: 'Remove the first' }).click();
    expect(await appsOf(page)).toEqual(['one']);
    await expect(page.locator('iframe')).toHaveCount(1);
    await expect(page.locator('gantry-gadget').frameLocator('iframe').locator('#out')).toHaveText('Here');
  });
}

test('a property that holds JSON takes its text too, as the attribute does', async ({ show, page }) => {
  await show('<gantry-gadget app="one"></gantry-gadget>');
  const gadget = page.locator('gantry-gadget');
  await gadget.evaluate((element) => Object.assign(element, { budgets: '{"startMs":20000}' }));
  await expect(gadget).toHaveAttribute('budgets', '{"startMs":20000}');
  await expect(gadget).toHaveJSProperty('budgets', { startMs: 20_000 });
});

test.describe('react: a page that a server rendered', () => {
  const root = fileURLToPath(new URL('../examples/react', import.meta.url));
  const options = {
    root,
    configFile: false,
    logLevel: 'warn' as const,
    resolve: { conditions: ['@gantry/source'] },
  } satisfies InlineConfig;
  let html: string;
  let script: string;

  test.beforeAll(async () => {
    const server = await createServer({ ...options, appType: 'custom', server: { middlewareMode: true, ws: false } });
    const { renderPage } = await server.ssrLoadModule('/server.tsx');
    html = renderPage(['one', 'two']);
    await server.close();
    const output = await build({
      ...options,
      mode: 'development',
      define: { 'process.env.NODE_ENV': '"development"' }, // React then names differences
      build: { write: false, rolldownOptions: { input: `${root}/hydrate.tsx` } },
    });
    script = (output as Rollup.RollupOutput).output[0].code;
  });

  for (const first of ['the element', 'React']) {
    test(`it is hydrated without a warning when ${first} comes first, and keeps listeners and budgets`, async ({
      show,
      page,
    }) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      const held = Promise.withResolvers<void>();
      await page.route('**/gantry/container.js', async (route) => {
        if (first === 'React') await held.promise;
        await route.continue();
      });
      await page.route('**/example.js', async (route) => {
        if (first === 'the element') await held.promise;
        await route.fulfill({ contentType: 'text/javascript', body: script });
      });
      const loading = show(`<div id="root">${html}</div><script async type="module" src="/example.js"></script>`);
      const [gadget, status] = [page.locator('gantry-gadget').first(), page.getByRole('status').first()];
      if (first === 'React') await waitUntilHydrated(page);
      else await expect(gadget.frameLocator('iframe').locator('#out')).toHaveText('Here');
      held.resolve();
      await loading;
      await waitUntilHydrated(page);
      await expect(gadget).toHaveJSProperty('state', 'ready');
      expect(await gadget.evaluate((element) => (element as HTMLElementTagNameMap['gantry-gadget']).budgets)).toEqual({
        startMs: 20_000,
      });
      const before = await status.innerText();
      await gadget.evaluate((element) => (element as HTMLElementTagNameMap['gantry-gadget']).reload());
      await expect(status).not.toHaveText(before);
      expect(complaints).toEqual([]);
    });
  }
});

/** React marks each node that it hydrated. */
async function waitUntilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__reactFiber')),
  );
}

const rendered: Readonly<Record<string, () => Promise<string>>> = {
  react: async () =>
    renderToString(
      createElement('gantry-gadget', { app: 'one', heading: '' }, createElement('a', { href: '/one' }, 'Open')),
    ),
  vue: () =>
    renderVue(createSSRApp(() => h('gantry-gadget', { app: 'one', heading: '' }, [h('a', { href: '/one' }, 'Open')]))),
};

for (const [name, render] of Object.entries(rendered)) {
  test(`${name}: server-rendered markup shows its content until the browser makes it a gadget`, async ({
    show,
    page,
  }) => {
    const tag = await render();
    await page.route('**/gantry/container.js', (route) => route.abort());
    await show(tag);
    await expect(page.getByRole('link', { name: 'Open' })).toBeVisible();
    await page.unroute('**/gantry/container.js');
    await show(tag);
    await expect(page.getByRole('heading', { name: 'one' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open' })).toBeHidden();
  });
}
