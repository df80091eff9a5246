import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DevServer, startDevServer } from '@gantry/dev';
import { expect, test } from '@playwright/test';

// The code of the guide for app authors, written into files as a reader does.

const root = join(import.meta.dirname, '../..');
const pages = ['docs/guides/app-author.md', 'docs/app-api.md', 'docs/worlds.md'];

interface Block {
  readonly language: string;
  readonly code: string;
}

interface Guide {
  readonly blocks: readonly Block[];
  /** Each `gadget.json` with the page below it, by the app's id. */
  readonly gadgets: Readonly<Record<string, { readonly manifest: string; readonly page: string }>>;
}

let folder: string;
let guide: Guide;
let server: DevServer;

test.beforeAll(async () => {
  guide = await readGuide();
  await mkdir(join(root, '.gantry'), { recursive: true });
  folder = await mkdtemp(join(root, '.gantry/guide-')); // its programs find the workspace's packages
  for (const [id, { manifest, page }] of Object.entries(guide.gadgets)) {
    await mkdir(join(folder, id), { recursive: true });
    await writeFile(join(folder, id, 'gadget.json'), manifest);
    await writeFile(join(folder, id, 'index.html'), page);
  }
  await mkdir(join(folder, 'my-gadget/test'), { recursive: true });
  for (const name of ['gadget.json', 'index.html']) {
    await writeFile(join(folder, 'my-gadget', name), await readFile(join(folder, 'friends', name)));
  }
  const stories = codeWith('ts', 'const alone');
  await writeFile(join(folder, 'my-gadget/stories.gadget.ts'), stories);
  const folders = [...Object.keys(guide.gadgets), 'my-gadget'].map((id) => join(folder, id));
  server = await startDevServer({ folders, port: 0 });
});

test.afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Text that only the site's data can produce, after a press of a named button. */
const gadgetData: Readonly<Record<string, { readonly text: string | RegExp; readonly press?: string }>> = {
  friends: { text: 'Bo Sand' },
  birthdays: { text: /^[A-Z][^:]+: \d{4}\/\d\d\/\d\d$/ },
  score: { text: 'You: 1', press: 'Play' },
};

for (const [id, { text, press }] of Object.entries(gadgetData)) {
  test(`the gadget ${id} of the guide shows data in the dev host, and nothing is wrong (guide for app authors)`, async ({
    page,
  }) => {
    const from = server.record.entries.length;
    await page.goto(`${server.url}/?app=${id}`);
    const gadget = page.frameLocator('iframe');
    if (press) await gadget.getByRole('button', { name: press }).click();
    await expect(gadget.getByText(text).first()).toBeVisible();
    const explain = server.createExplainer();
    const problems = server.record.entries.slice(from).flatMap((entry) => explain(entry) ?? []);
    expect(problems).toEqual([]);
  });
}

test('every gadget of the guide is tried (guide for app authors)', () => {
  expect(Object.keys(guide.gadgets).sort()).toEqual(Object.keys(gadgetData).sort());
});

test('stories of the guide and of the page about worlds are loaded (guide for app authors)', async () => {
  await writeFile(join(folder, 'friends/stories.gadget.ts'), codeWith('ts', "world: '../worlds/winter.json'"));
  const { stories, problems } = await server.stories.list();
  expect(problems).toEqual([]);
  expect(stories.map(({ id }) => id).sort()).toEqual([
    ...['friends/hostile', 'friends/own'],
    ...['my-gadget/friends', 'my-gadget/inTheDark', 'my-gadget/noFriends', 'my-gadget/offline'],
  ]);
});

test('the test of the guide passes against the dev host (guide for app authors)', async () => {
  const project = join(folder, 'my-gadget');
  await writeFile(join(project, 'test/gadget.spec.js'), codeWith('js', 'mount }'));
  const config = codeWith('js', 'defineConfig');
  const [webServer = ''] = /^ {2}webServer: \{$.*^ {2}\},$/ms.exec(config) ?? [];
  const tried = await readFile(join(root, 'packages/create-gantry/templates/common/playwright.config.ts'), 'utf8');
  expect(tried.replaceAll(/ \/\/.*$/gm, '')).toContain(webServer); // it starts a server in each new gadget
  await writeFile(join(project, 'playwright.config.js'), config.replace(webServer, '')); // beforeAll started one
  const options = '--reporter=line';
  const { executablePath = '' } = test.info().project.use.launchOptions ?? {};
  const { NODE_OPTIONS: _, ...plain } = process.env;
  const env = { ...plain, GANTRY_DEV_URL: server.url, GANTRY_CHROMIUM: executablePath };
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'test', options], { cwd: project, env });
  expect(stdout).toContain('2 passed');
});

/** @throws Error unless exactly one block holds `text`. */
function codeWith(language: string, text: string): string {
  const matches = guide.blocks.filter((block) => block.language === language && block.code.includes(text));
  if (matches.length !== 1) throw new Error(`${matches.length} blocks hold ${text}.`);
  return matches[0]?.code ?? '';
}

async function readGuide(): Promise<Guide> {
  const texts = await Promise.all(pages.map((path) => readFile(join(root, path), 'utf8')));
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code })),
  );
  const gadgets = blocks.flatMap(({ language, code }, index) => {
    if (language !== 'html') return [];
    const manifest = blocks.slice(0, index).findLast((block) => block.language === 'json')?.code ?? '';
    const { name } = JSON.parse(manifest) as { readonly name: string };
    return [[name.toLowerCase(), { manifest, page: code }] as const];
  });
  return { blocks, gadgets: Object.fromEntries(gadgets) };
}
