import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestBrowser, type TestBrowser } from './event-browser.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const second = 1_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const change = (member: string) => ({ topic: 'activities', member }) as const;
const block = (id: string, ...members: string[]) =>
  `id: ${id}\nevent: changes\ndata: ${JSON.stringify(members.map(change))}\n\n`;

/** Pages with one gadget each, of which the first one listens. */
async function withPages(browser: TestBrowser, ...names: string[]) {
  const pages = names.map((name) => browser.newPage(name));
  for (const page of pages) {
    page.mount('notes');
    await pass(second);
  }
  return pages;
}

describe('one stream for all pages of a browser', () => {
  test('one page asks, with the usual headers, for all of them, and all hear', async () => {
    const browser = createTestBrowser();
    const [first, second, third] = await withPages(browser, 'a', 'b', 'c');
    expect(browser.streams).toHaveLength(1);
    const [stream] = browser.streams;
    expect(stream?.headers).toEqual({ 'Content-Type': 'application/json', 'Gantry-Container': '1' });
    expect(stream?.request).toEqual({ tokens: { 'a-notes': 'token-a-notes' }, since: ['since-a-notes'] });
    stream?.send(block('1', '8'));
    await pass(0);
    for (const page of [first, second, third]) expect(page?.heard).toEqual([change('8')]);
  });

  test('a gadget that is mounted later joins the stream, with the changes it may have missed', async () => {
    const browser = createTestBrowser();
    const [first, second] = await withPages(browser, 'a', 'b');
    browser.open()?.send(block('1', '8'));
    second?.mount('board');
    await pass(1_000);
    expect(browser.streams).toHaveLength(2);
    expect(browser.open()?.request).toEqual({
      tokens: { 'a-notes': 'token-a-notes', 'b-board': 'token-b-board' },
      since: ['1', 'since-b-board'],
    });
    first?.mount('board'); // part of the stream already
    await pass(1_000);
    expect(browser.streams).toHaveLength(2);
  });

  test('a page that opens later hears the changes of just before', async () => {
    const browser = createTestBrowser();
    await withPages(browser, 'a');
    browser.open()?.send(block('1', '8'));
    await pass(0);
    const [late] = await withPages(browser, 'b');
    expect(late?.heard).toEqual([change('8')]);
  });

  test('the page that listens goes: the next one goes on where it was', async () => {
    const browser = createTestBrowser();
    const [first, second] = await withPages(browser, 'a', 'b');
    browser.open()?.send(block('5', '8'));
    await pass(0);
    first?.lifecycle('pagehide');
    await pass(1_000);
    expect(browser.streams.map(({ page, isOpen }) => [page, isOpen])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(browser.open()?.request.since).toEqual(['5']);
    browser.open()?.send(block('6', '9'));
    await pass(0);
    expect(second?.heard).toEqual([change('8'), change('9')]);
  });

  test('without Web Locks each page listens for itself', async () => {
    const browser = createTestBrowser({ hasLocks: false });
    const [first, second] = await withPages(browser, 'a', 'b');
    expect(browser.streams.map(({ page }) => page)).toEqual(['a', 'b']);
    browser.streams[0]?.send(block('1', '8'));
    await pass(0);
    expect([first?.heard, second?.heard]).toEqual([[change('8')], []]);
  });

  test('eight times as many pages exchange eight times as many messages (security rule 34)', async () => {
    async function messagesOf(count: number): Promise<number> {
      const browser = createTestBrowser();
      const pages = Array.from({ length: count }, (_, index) => browser.newPage(String(index)));
      for (const page of pages) page.mount('notes');
      await pass(second);
      for (let id = 1; id <= 18; id++) browser.open()?.send(block(String(id), '8'));
      await pass(second);
      const heard = pages.map((page) => page.heard.length);
      browser.open()?.end();
      await pass(5 * second);
      expect(browser.open()?.request.since).toEqual(['18']);
      expect(pages.map((page) => page.heard.length)).toEqual(heard);
      return browser.arrived;
    }
    const [few, many] = [await messagesOf(10), await messagesOf(80)];
    expect(many).toBeLessThan(few * 8 * 1.5); // quadratic: 64 times as many
  });

  test('pages of two members share nothing (security rule 14)', async () => {
    const browser = createTestBrowser();
    const [mine, theirs] = [browser.newPage('a'), browser.newPage('b')];
    mine.mount('notes', '1');
    theirs.mount('notes', '2');
    await pass(second);
    expect(browser.streams.map(({ request }) => Object.keys(request.tokens))).toEqual([['a-notes'], ['b-notes']]);
    browser.streams[1]?.send(block('1', '8'));
    await pass(0);
    expect(mine.heard).toEqual([]);
  });
});

describe('a stream', () => {
  test('is read however the network cuts it, signs of life and unknown events among it', async () => {
    const browser = createTestBrowser();
    const [page] = await withPages(browser, 'a');
    const text = `id: 1\n\n:\n\n${block('2', '8')}event: news\ndata: {}\n\n${block('3', 'ä')}`;
    for (const letter of text) browser.open()?.send(letter);
    await pass(0);
    expect(page?.heard).toEqual([change('8'), change('ä')]);
  });

  test('that breaks is opened again, from where it was, later and later', async () => {
    const browser = createTestBrowser();
    await withPages(browser, 'a');
    browser.open()?.send(block('7', '8'));
    await pass(0);
    browser.open()?.end();
    await pass(1_300);
    expect(browser.open()?.request.since).toEqual(['7']);
    let pauses = 0;
    browser.refusal = () => {
      pauses += 1;
      return new Response('', { status: 503 });
    };
    browser.open()?.end();
    await pass(10 * 60 * second);
    expect(pauses).toBeGreaterThan(15);
    expect(pauses).toBeLessThan(50); // at most every 30 seconds or so
    browser.refusal = undefined;
    browser.online();
    await pass(300);
    expect(browser.open()).toBeDefined();
  });

  test('that says nothing for 45 seconds is taken for broken', async () => {
    const browser = createTestBrowser();
    await withPages(browser, 'a');
    for (let beats = 0; beats < 4; beats++) {
      await pass(15 * second);
      browser.open()?.send(':\n\n');
    }
    expect(browser.streams).toHaveLength(1);
    await pass(50 * second);
    expect(browser.streams.length).toBeGreaterThan(1);
  });

  test('whose token expired is opened with a new one', async () => {
    const browser = createTestBrowser();
    await withPages(browser, 'a');
    browser.open()?.send('event: end\ndata: "expired"\n\n');
    browser.open()?.end();
    await pass(2 * second);
    expect(browser.streams).toHaveLength(2);
  });

  test('is refused because another member is signed in: the page hears of it, and asks no more (security rule 14)', async () => {
    const browser = createTestBrowser();
    const refusal = { error: { code: 401, message: '', data: { reason: 'VIEWER_CHANGED' } } };
    let attempts = 0;
    browser.refusal = () => {
      attempts += 1;
      return Response.json(refusal, { status: 401 });
    };
    const [page] = await withPages(browser, 'a');
    await pass(60 * second);
    expect(page?.viewerChanges()).toBe(1);
    expect(attempts).toBe(1);
    browser.refusal = undefined;
    page?.mount('notes', '2');
    await pass(second);
    expect(browser.open()?.request.since).toEqual(['since-a-notes']);
  });

  test('passes on a change of everything to pages at different moments', async () => {
    const browser = createTestBrowser();
    const [page] = await withPages(browser, 'a');
    const everything = [{ topic: 'people', member: '*' }];
    browser.open()?.send(`event: changes\ndata: ${JSON.stringify(everything)}\n\n`);
    await pass(2 * second);
    expect(page?.heard).toEqual(everything);
    expect(page?.changed).toEqual(['any']);
  });

  test('makes every page read a decision about an app, and no result stale', async () => {
    const browser = createTestBrowser();
    const pages = await withPages(browser, 'a', 'b');
    const decision = { topic: 'grants', member: '1', app: 'notes' };
    browser.open()?.send(`event: changes\ndata: ${JSON.stringify([decision])}\n\n`);
    await pass(0);
    for (const page of pages) expect([page.changed, page.heard]).toEqual([['notes'], []]);
  });

  test('asks of an app with a new version once within half a minute, each page at a moment of its own', async () => {
    const browser = createTestBrowser();
    const pages = await withPages(browser, 'a', 'b');
    const news = JSON.stringify([{ topic: 'versions', member: '*', app: 'notes' }]);
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.9);
    for (let times = 0; times < 3; times += 1) browser.open()?.send(`event: changes\ndata: ${news}\n\n`);
    await pass(15 * second - 1);
    expect(pages.map(({ changed }) => changed)).toEqual([[], []]);
    await pass(1);
    expect(pages.map(({ changed }) => changed)).toEqual([['notes'], []]);
    await pass(15 * second);
    expect(pages.map(({ changed, heard }) => [changed, heard])).toEqual([
      [['notes'], []],
      [['notes'], []],
    ]);
    vi.restoreAllMocks();
  });
});

describe('a page of more gadgets than a stream takes (security rule 25)', () => {
  const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `app${from + index}`);
  const tokens = ({ request }: { request: { tokens: object } }) => Object.keys(request.tokens).length;

  test('has several streams, and hears of each', async () => {
    const browser = createTestBrowser();
    const page = browser.newPage('a');
    page.mountAll(names(250));
    await pass(second);
    expect(browser.streams.map(tokens)).toEqual([200, 50]);
    browser.streams[0]?.send(block('1', '8'));
    browser.streams[1]?.send(block('2', '9'));
    await pass(0);
    expect(page.heard).toEqual([change('8'), change('9')]);
    await pass(10 * second);
    expect(browser.streams).toHaveLength(2);
  });

  test('goes on where each of them was, when one breaks', async () => {
    const browser = createTestBrowser();
    browser.newPage('a').mountAll(names(250));
    await pass(second);
    browser.streams[0]?.send(block('9', '8'));
    browser.streams[1]?.send(block('3', '8'));
    await pass(0);
    browser.streams[1]?.end();
    await pass(2 * second);
    const open = browser.allOpen();
    expect(open.map(tokens)).toEqual([200, 50]);
    for (const { request } of open) expect(request.since).toEqual(['9', '3']);
  });

  test('begins with everything stale where it has more positions than a stream takes, and settles', async () => {
    const browser = createTestBrowser();
    const [first] = await withPages(browser, 'a');
    first?.mountAll(names(500));
    browser.newPage('b').mountAll(names(500, 500));
    await pass(5 * second);
    const open = browser.allOpen();
    expect(open.map(tokens)).toEqual([200, 200, 200]);
    for (const { request } of open) expect(request.since).toEqual(['']);
    const opened = browser.streams.length;
    await pass(20 * second);
    expect(browser.streams).toHaveLength(opened);
  });
});

describe('a page that nobody sees', () => {
  test('stops after five minutes, and goes on where it was when it is seen', async () => {
    const browser = createTestBrowser();
    const [page] = await withPages(browser, 'a');
    browser.open()?.send(block('3', '8'));
    page?.lifecycle('hidden');
    for (let beats = 0; beats < 10; beats++) {
      await pass(29 * second);
      browser.open()?.send(':\n\n');
    }
    expect(browser.open()).toBeDefined();
    await pass(11 * second);
    expect(browser.open()).toBeUndefined();
    page?.lifecycle('visible');
    await pass(second);
    expect(browser.open()?.request.since).toEqual(['3']);
  });

  test('lets one that is seen listen', async () => {
    const browser = createTestBrowser();
    const [first] = await withPages(browser, 'a', 'b');
    first?.lifecycle('hidden');
    for (let beats = 0; beats < 11; beats++) {
      await pass(29 * second);
      browser.open()?.send(':\n\n');
    }
    expect(browser.open()?.page).toBe('b');
  });

  test('comes back from the browser’s memory and takes everything for stale', async () => {
    const browser = createTestBrowser();
    const [page] = await withPages(browser, 'a');
    page?.lifecycle('pagehide');
    page?.lifecycle('pageshow');
    await pass(3 * second);
    expect(page?.heard.map(({ topic }) => topic)).toEqual(['people', 'activities', 'appData', 'albums', 'mediaItems']);
    expect(browser.open()).toBeDefined();
  });
});
