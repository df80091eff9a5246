import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { createGadget } from '../../packages/create-gantry/src/index.ts';
import { type DevServer, startDevServer } from '../../packages/dev/src/index.ts';
import { type AppSources, plainApp, reactApp, typescriptApp, vueApp, writeApps } from './sample-apps.ts';

const circularApp: AppSources = {
  'gadget.json': plainApp['gadget.json'] as string,
  'index.html': '<!doctype html>\n<p id="out"></p>\n<script type="module" src="src/main.ts"></script>\n',
  'src/main.ts': `import { osapi } from '@gantry/osapi';
import { text } from './late.ts';
import './early.ts';

void osapi.ready;
(document.getElementById('out') as HTMLElement).textContent = text;
import.meta.hot?.accept('./late.ts', () => {});
`,
  'src/late.ts': "import { word } from './early.ts';\n\nexport const text = word + ' v0';\n",
  'src/early.ts':
    "import { text } from './late.ts';\n\nexport const word = 'round';\nexport const later = () => text;\nimport.meta.hot?.accept();\n",
};

const stateApp: AppSources = {
  'gadget.json': plainApp['gadget.json'] as string,
  'index.html': `<!doctype html>
<p id="out"></p>
<button type="button">Count</button>
<script src="/gantry/osapi.js"></script>
<script type="module" src="src/main.ts"></script>
`,
  'src/main.ts': `import { text } from './text.ts';

const out = document.getElementById('out') as HTMLElement;
const { osapi, gantry } = window as never as { osapi: { ready: Promise<void> }; gantry: { state: { get(): Promise<number>; set(value: number): void } } };
await osapi.ready;
let count = (await gantry.state.get()) ?? 0;
const show = () => { out.textContent = text + ' ' + count; };
document.querySelector('button')?.addEventListener('click', () => { count += 1; gantry.state.set(count); show(); });
show();
`,
  'src/text.ts': "export const text: string = 'v0';\n",
};

const asksApp: AppSources = {
  'gadget.json': plainApp['gadget.json'] as string,
  'index.html': `<!doctype html>
<p id="out"></p>
<script src="/gantry/osapi.js"></script>
<script>
  osapi.people.getViewer().execute((viewer) => { out.textContent = viewer.error ? viewer.error.data.reason : viewer.meta.source; });
</script>
`,
};

interface Host {
  readonly dev: DevServer;
  write(file: string, text: string): Promise<void>;
}

const apps = {
  ts: typescriptApp,
  react: reactApp,
  vue: vueApp,
  plain: plainApp,
  asks: asksApp,
  circular: circularApp,
  state: stateApp,
};

const started = new Set<string>(); // apps that Vite has built for this worker

const test = base.extend<{ readonly open: (app: string) => Promise<FrameLocator> }, { readonly host: Host }>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}, use) => {
      const { folders, remove } = await writeApps(apps);
      process.env.NODE_ENV = 'production'; // set by a shell or another test’s build
      const dev = await startDevServer({ folders: Object.values(folders), port: 0 });
      const root = join(folders.ts, '..');
      await use({ dev, write: (file, text) => writeFile(join(root, file), text) });
      await dev.close();
      await remove();
    },
    { scope: 'worker' },
  ],
  open: async ({ page, host }, use) => {
    await use(async (app) => {
      await page.goto(`${host.dev.url}/?app=${app}`);
      if (started.has(app)) return frameOf(page, app);
      // Vite's first start may take longer on a busy machine than an app may.
      const again = page.getByRole('button', { name: 'Try again' });
      const gadget = page.locator(`[app="${app}"]`).first();
      await expect(async () => {
        if (await again.isVisible()) await again.click();
        expect(await gadget.evaluate((element) => Reflect.get(element, 'state'))).toMatch(/^(ready|asking)$/);
      }).toPass();
      started.add(app);
      return frameOf(page, app);
    });
  },
});
test.describe.configure({ mode: 'default' });

function frameOf(page: Page, app: string): FrameLocator {
  return page.locator(`[app="${app}"] iframe`).first().contentFrame();
}

/** Marks a document. A replaced document has no mark. */
async function mark(frame: FrameLocator): Promise<void> {
  await frame.locator('html').evaluate((root) => root.setAttribute('data-marked', ''));
}

async function isMarked(frame: FrameLocator): Promise<boolean> {
  return (await frame.locator('html[data-marked]').count()) === 1;
}

test('updates TypeScript and styles in place, and loads an app anew for a picture that a module imports', async ({
  open,
  host,
}) => {
  const frame = await open('ts');
  await expect(frame.locator('#out')).toHaveText('v0');
  await mark(frame);

  await host.write('ts/src/text.ts', "export const text: string = 'v1';\n");
  await expect(frame.locator('#out')).toHaveText('v1');
  await host.write('ts/src/style.css', '#out { color: rgb(2, 0, 0); }\n');
  await expect(frame.locator('#out')).toHaveCSS('color', 'rgb(2, 0, 0)');
  expect(await isMarked(frame)).toBe(true);

  await host.write('ts/src/logo.svg', `${apps.ts['src/logo.svg']}<!-- another -->`);
  await expect.poll(() => isMarked(frame)).toBe(false);
  await expect(frame.locator('#out')).toHaveText('v1');
});

/**
 * Saves until an update keeps a component's count, and returns the saved text. A build tool that
 * has just prepared packages reloads the app once.
 */
async function updateWithState(button: Locator, save: (text: string) => Promise<void>): Promise<string> {
  let round = 0;
  await expect(async () => {
    round += 1;
    if ((await button.textContent())?.endsWith(' 0')) await button.click();
    await save(`v${round}`);
    await expect(button).toHaveText(`v${round} 1`, { timeout: 4_000 });
  }).toPass({ timeout: 60_000 });
  return `v${round}`;
}

test('keeps the state of React components, over a new configuration of Vite and a new package too', async ({
  open,
  host,
}) => {
  const frame = await open('react');
  const button = frame.locator('#out2');
  const round = await updateWithState(button, (text) =>
    host.write('react/src/app.tsx', (apps.react['src/app.tsx'] as string).replace('v0', text)),
  );

  await host.write('react/vite.config.ts', `${apps.react['vite.config.ts']}// another\n`);
  await expect(button).toHaveText(`${round} 0`); // after a restart saves may be missed
  await host.write(
    'react/src/app.tsx',
    `import { nanoid } from 'nanoid';\n${(apps.react['src/app.tsx'] as string).replace('v0', '{nanoid(7).length}')}`,
  );
  await expect(button).toHaveText('7 0');
});

test('keeps the state of Vue components', async ({ open, host }) => {
  const frame = await open('vue');
  await updateWithState(frame.locator('#out2'), (text) =>
    host.write('vue/src/App.vue', (apps.vue['src/App.vue'] as string).replace('v0', text)),
  );
});

test('loses no save that follows another after 20 ms', async ({ open, host }) => {
  const frame = await open('ts');
  await expect(frame.locator('#out')).toHaveText(/^v/);
  for (let pair = 1; pair <= 5; pair += 1) {
    await host.write('ts/src/text.ts', `export const text: string = 'first ${pair}';\n`);
    await new Promise((resolve) => setTimeout(resolve, 20)); // the case itself, not a wait for something
    await host.write('ts/src/text.ts', `export const text: string = 'second ${pair}';\n`);
    await expect(frame.locator('#out')).toHaveText(`second ${pair}`);
  }
});

test('loses no save that comes before the page listens for updates', async ({ open, host, page, context }) => {
  const saved = Promise.withResolvers<void>();
  await page.route('**/dev/hot', async (route) => {
    await saved.promise; // the page asks it for the address of updates
    await route.continue();
  });
  const frame = await open('ts');
  await expect(frame.locator('#out')).toHaveText(/./);

  const other = await context.newPage();
  await other.goto(`${host.dev.url}/?app=ts`);
  await expect(frameOf(other, 'ts').locator('#out')).toHaveText(/./);
  await host.write('ts/src/text.ts', "export const text: string = 'early';\n");
  await expect(frameOf(other, 'ts').locator('#out')).toHaveText('early');
  await expect(frame.locator('#out')).not.toHaveText('early');
  saved.resolve();
  await expect(frame.locator('#out')).toHaveText('early');
});

test('shows the position of a build error, and recovers a first load that failed', async ({ open, host, page }) => {
  const card = page.locator('gantry-build-card', { hasText: 'could not be built' });
  const frame = await open('ts');
  await expect(frame.locator('#out')).toHaveText(/./);
  await mark(frame);

  await host.write('ts/src/text.ts', "export const text: string = 'oops;\n");
  await expect(card).toContainText('src/text.ts:1:');
  await expect(card.locator('.here')).toContainText("'oops;");
  expect(await isMarked(frame)).toBe(true); // the old app still runs
  await host.write('ts/src/text.ts', "export const text: string = 'mended';\n");
  await expect(frame.locator('#out')).toHaveText('mended');
  await expect(card).toHaveCount(0);
  expect(await isMarked(frame)).toBe(true);

  await host.write('ts/src/text.ts', "export const text: string = 'oops;\n");
  await expect(card).toBeVisible();
  await page.reload();
  await expect(card).toContainText('src/text.ts:1:');
  await host.write('ts/src/text.ts', "export const text: string = 'whole';\n");
  await expect(frame.locator('#out')).toHaveText('whole');
  await expect(card).toHaveCount(0);
  const builds = host.dev.record.entries.filter(({ kind }) => kind === 'build');
  expect(builds.at(-1)).not.toHaveProperty('problem');
});

test('loads a gadget anew on the save that corrects it, after the page gave it up', async ({ open, host, page }) => {
  const frame = await open('ts');
  await expect(frame.locator('#out')).toHaveText(/./);
  const leave = "setTimeout(() => location.replace('about:blank'), 500);";
  await host.write('ts/src/text.ts', `${leave}\nexport const text: string = 'gone';\n`);
  await expect(page.getByText('TypeScript is not available', { exact: true })).toBeVisible(); // not what is announced
  await host.write('ts/src/text.ts', "export const text: string = 'back';\n");
  await expect(frame.locator('#out')).toHaveText('back');
});

test('loads an app anew when an update within a circle of imports throws', async ({ open, host }) => {
  const frame = await open('circular');
  await expect(frame.locator('#out')).toHaveText('round v0');
  await host.write('circular/src/late.ts', (apps.circular['src/late.ts'] as string).replace('v0', 'v1'));
  await expect(frame.locator('#out')).toHaveText('round v1');
});

test('keeps gantry.state over reloads, one that fails included', async ({ open, host, page }) => {
  const frame = await open('state');
  await expect(frame.locator('#out')).toHaveText('v0 0');
  await frame.getByRole('button').click();
  await host.write('state/src/text.ts', "export const text: string = 'v1';\n");
  await expect(frame.locator('#out')).toHaveText('v1 1');
  await host.write('state/src/text.ts', "export const text: string = 'v;\n");
  await expect(page.locator('gantry-build-card', { hasText: 'could not be built' })).toBeVisible();
  await host.write('state/src/text.ts', "export const text: string = 'v2';\n");
  await expect(frame.locator('#out')).toHaveText('v2 1');
});

test('updates the default template in place, and keeps what is being written', async ({ page }) => {
  const { folders, remove } = await writeApps({ board: {} });
  createGadget({ folder: folders.board, template: 'typescript' });
  const dev = await startDevServer({ folders: [folders.board], port: 0 });
  await page.goto(dev.url);
  const frame = frameOf(page, 'board');
  const name = frame.locator('.name').first();
  await expect(name).not.toBeEmpty({ timeout: 30_000 });
  const before = await name.textContent();
  await frame.locator('#note').fill('Half a sentence');
  await mark(frame);
  const main = join(folders.board, 'src/main.ts');
  await writeFile(main, (await readFile(main, 'utf8')).replace('?.append(name)', "?.append(name, '!')"));
  await expect(name).toHaveText(`${before}!`);
  await expect(frame.locator('#note')).toHaveValue('Half a sentence');
  expect(await isMarked(frame)).toBe(true);
  await frame.getByRole('button', { name: 'Save' }).click();
  await expect(frame.locator('#status')).not.toBeEmpty();
  const writes = dev.record.entries.filter((one) => one.kind === 'call' && one.operation === 'appdata.update');
  expect(writes).toHaveLength(1); // the form has one listener
  await dev.close();
  await remove();
});

test('loads a plain app anew for each save, and registers a changed manifest', async ({ open, host }) => {
  const frame = await open('plain');
  await expect(frame.locator('#out')).toHaveText('v0');
  await host.write('plain/app.js', "document.getElementById('out').textContent = 'v1';\n");
  await expect(frame.locator('#out')).toHaveText('v1');

  await mark(frame);
  const manifest = JSON.parse(apps.plain['gadget.json'] as string);
  await host.write('plain/gadget.json', JSON.stringify({ ...manifest, uses: ['people.get', 'albums.get'] }));
  await expect.poll(() => isMarked(frame)).toBe(false);
  expect(host.dev.record.entries.findLast(({ kind }) => kind === 'manifest')).toMatchObject({
    app: 'plain',
    asks: ['albums'],
  });
});

test('answers nothing from the cache that gadget.json does not list any more', async ({ open, host, page }) => {
  const frame = await open('asks');
  await expect(frame.locator('#out')).toHaveText('network');
  await page
    .locator('[app="asks"]')
    .first()
    .evaluate((gadget) => (gadget as HTMLElement & { reload(): void }).reload());
  await expect(frame.locator('#out')).toHaveText('cache'); // control
  await host.write('asks/gadget.json', JSON.stringify({ name: 'Asks', page: 'index.html', uses: ['albums.get'] }));
  await expect(frame.locator('#out')).toHaveText('NOT_GRANTED');
});

test("leads from a gadget's own address to the lab with that app", async ({ page, open, host }) => {
  await open('plain');
  const { run } = await (await page.request.get(`${host.dev.url}/dev/hot`)).json();
  await page.goto(`${host.dev.url}/gantry/apps/plain/${run}/index.html`);
  expect(new URL(page.url()).search).toBe('?app=plain');
  await expect(frameOf(page, 'plain').locator('#out')).toHaveText(/^v/);
});

test('loads the page anew when another dev host answers at its address', async ({ page }) => {
  const { folders, remove } = await writeApps({ late: plainApp });
  const first = await startDevServer({ folders: [folders.late], port: 0 });
  await page.goto(first.url);
  await expect(frameOf(page, 'late').locator('#out')).toHaveText('v0');
  await first.close();
  await mkdir(folders.late, { recursive: true });
  await appendFile(join(folders.late, 'app.js'), "document.getElementById('out').textContent = 'v1';\n");
  const second = await startDevServer({ folders: [folders.late], port: Number(new URL(first.url).port) });
  await expect(frameOf(page, 'late').locator('#out')).toHaveText('v1');
  await second.close();
  await remove();
});
