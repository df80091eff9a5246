import type { Browser, BrowserContext, Page } from '@playwright/test';
import { installApp } from '../packages/service/test/apps.ts';
import { expect, frameOf, type Hosted, test } from './hosted.ts';

// Two friends, members 1 and 2, each in a browser of their own. The app shows what friends wrote.
const board = `<!doctype html><html lang="en"><title>Board</title><ul id="out"></ul>
  <script src="/gantry/osapi.js"></script>
  <script>
    const show = (byMember) => {
      out.replaceChildren(...Object.values(byMember).flatMap(({ note }) => {
        if (note === undefined) return [];
        const item = document.createElement('li');
        item.textContent = note;
        return [item];
      }));
      document.title = out.textContent;
    };
    osapi.appdata.get({ userId: '@viewer', groupId: '@friends', keys: ['note'] }).subscribe(show);
    globalThis.write = (note) => osapi.appdata.update({ data: { note } });
  </script>`;
const manifest = { name: 'Board', page: 'index.html', uses: ['appdata.get', 'appdata.update'] };

test.use({ apps: { board: { 'index.html': board, 'gadget.json': JSON.stringify(manifest) } } });
test.beforeEach(async ({ hosted }) => {
  for (const memberId of ['1', '2']) await installApp(hosted.stores.db, { appId: 'board', memberId });
});

/** A browser of one member. */
async function browserOf(browser: Browser, hosted: Hosted, viewer: string): Promise<Member> {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'viewer', value: viewer, url: hosted.url }]);
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/gantry/events')) streams.push(request.url());
  });
  return {
    context,
    streams,
    async open() {
      const page = await context.newPage();
      const body = '<gantry-gadget app="board"></gantry-gadget>';
      await page.goto(`${hosted.url}/?${new URLSearchParams({ body })}`);
      await expect(page.locator('gantry-gadget iframe')).toBeVisible();
      return page;
    },
  };
}

interface Member {
  readonly context: BrowserContext;
  /** Requests for an event stream. */
  readonly streams: readonly string[];
  open(): Promise<Page>;
}

const notes = (page: Page) => frameOf(page, 'board').locator('#out');

async function write(page: Page, note: string): Promise<void> {
  const frame = page.frames().find((each) => each !== page.mainFrame());
  await frame?.evaluate(
    (text) => (globalThis as unknown as { write(note: string): Promise<unknown> }).write(text),
    note,
  );
}

test('a friend’s note shows in both tabs, over one stream', async ({ browser, hosted }) => {
  const [ann, bo] = [await browserOf(browser, hosted, '1'), await browserOf(browser, hosted, '2')];
  const [writing, first, second] = [await bo.open(), await ann.open(), await ann.open()];
  await expect.poll(() => ann.streams.length).toBe(1);
  await expect(notes(second)).toHaveText('');
  await write(writing, 'hello');
  await expect(notes(first)).toHaveText('hello');
  await expect(notes(second)).toHaveText('hello');
  expect(ann.streams).toHaveLength(1);
  for (const { context } of [ann, bo]) await context.close();
});

test('when the tab that listens is closed, another one takes over and misses nothing', async ({ browser, hosted }) => {
  const [ann, bo] = [await browserOf(browser, hosted, '1'), await browserOf(browser, hosted, '2')];
  const [writing, first] = [await bo.open(), await ann.open()];
  await expect.poll(() => ann.streams.length).toBe(1);
  const second = await ann.open();
  await write(writing, 'one');
  await expect(notes(second)).toHaveText('one');
  await first.close();
  await write(writing, 'two'); // perhaps between two listeners
  await expect(notes(second)).toHaveText('two');
  await expect.poll(() => ann.streams.length).toBe(2);
  await write(writing, 'three');
  await expect(notes(second)).toHaveText('three');
  for (const { context } of [ann, bo]) await context.close();
});
