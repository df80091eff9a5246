import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readTape } from '@gantry/lab/tape';
import { expect, type Page, test } from '@playwright/test';

// `gantry open` and the list of calls, with untrusted tapes.

const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>\u001b]0;owned\u0007\u202e';
const place = { app: 'guestbook', place: 'm-1/guestbook#1' };
const head = {
  tape: 1,
  release: '0.1.0',
  host: 'lab',
  app: 'guestbook',
  scenario: { theme: 'dark', width: 360, world: '/etc/passwd' },
  startMs: Date.UTC(2026, 0, 1, 12),
  isRedacted: true,
  test: { title: `posts a greeting ${hostile}`, file: 'test/guestbook.spec.ts', error: `expected ${hostile}` },
};
const entries = [
  { kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer', note: hostile } },
  { kind: 'decision', call: 1, decision: 'asked' },
  {
    kind: 'reply',
    call: 1,
    ok: { displayName: hostile, thumbnailUrl: 'https://elsewhere.example/a.png' },
    tookMs: 12,
    size: 90,
  },
  { kind: 'call', call: 2, operation: 'activities.create', params: { userId: '@viewer' } },
  {
    kind: 'reply',
    call: 2,
    error: { code: 403, message: 'not allowed', data: { reason: 'NOT_GRANTED' } },
    tookMs: 3,
    size: 9,
  },
  { kind: 'console', level: 'error', text: hostile },
];

let folder: string;
let child: ChildProcess | undefined;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tape-'));
  const lines = entries.map((entry, index) => ({ number: index + 1, ...place, ...entry, offsetMs: index * 20 }));
  const text = [head, ...lines].map((line) => JSON.stringify(line)).join('\n');
  await writeFile(join(folder, 'failure.tape'), `${text}\n{"number":7,"kind":"ca`);
  await mkdir(join(folder, 'guestbook'));
  await writeFile(
    join(folder, 'guestbook/gadget.json'),
    '{ "name": "Guestbook", "page": "index.html", "uses": ["people.get"] }',
  );
  await writeFile(
    join(folder, 'guestbook/index.html'),
    `<!doctype html><title>Guestbook</title><p id="name"></p><script src="/gantry/osapi.js"></script>
<script>osapi.people.get({ userId: '@viewer' }).then((me) => { document.getElementById('name').textContent = me.displayName; });</script>`,
  );
});
test.afterEach(async () => {
  child?.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

/** Starts a command, and resolves with its lines up to its address. */
async function start(...args: readonly string[]): Promise<{ readonly url: string; readonly lines: readonly string[] }> {
  const started = spawn(process.execPath, ['packages/cli/bin/gantry.js', ...args, '--port', '0']);
  child = started;
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line);
    const url = / ready at (http:\S+)$/.exec(line)?.[1];
    if (url) return { url, lines };
  }
  throw new Error(`The command ended: ${lines.join('\n')}`);
}

/** Collects requests that leave the machine, and scripts of a tape that ran. */
async function watch(page: Page) {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) elsewhere.push(request.url());
  });
  return async () => ({ elsewhere, ran: await page.evaluate(() => 'ran' in window) });
}

test('a tape of a killed job is shown with its calls, its test and what is missing; nothing of it runs (security rule 7)', async ({
  page,
}) => {
  const { url, lines } = await start('open', join(folder, 'failure.tape'));
  expect(lines.join('\n')).not.toMatch(/(?!\n)\p{C}/u); // terminals obey such characters
  const harm = await watch(page);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'guestbook' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The last line is cut off');
  await expect(page.locator('.tape')).toContainText('redacted');
  await expect(page.locator('.tape')).toContainText('posts a greeting <img');
  await expect(page.getByRole('link', { name: 'Show the gadget' })).toHaveCount(0);

  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Details of people.get' })).toContainText('elsewhere.example');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'refusals' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('row', { name: 'activities.create' }).click();
  await expect(page.locator('.explanation')).toContainText('activities.create');
  await page.keyboard.press('/');
  await page.keyboard.type('greeting nobody wrote');
  await expect(page.getByText('Nothing here matches.')).toBeVisible();
  expect(await harm()).toEqual({ elsewhere: [], ran: false });
});

test('with the folder of its app a tape leads to the gadget in its state, and names no file of the machine', async ({
  page,
}) => {
  const { url } = await start('open', join(folder, 'failure.tape'), '--app', join(folder, 'guestbook'));
  await page.goto(url);
  const link = page.getByRole('link', { name: 'Show the gadget' });
  expect(await link.getAttribute('href')).toBe('/?app=guestbook&width=360&theme=dark');
  await link.click();
  await expect(page.frameLocator('gantry-viewport iframe').locator('#name')).not.toBeEmpty();
});

test('the list of calls saves what it shows as a redacted tape, and opens tapes that are chosen or dropped', async ({
  page,
}) => {
  const { url } = await start('dev', join(folder, 'guestbook'));
  await page.goto(url);
  const name = page.frameLocator('gantry-viewport iframe').locator('#name');
  await expect(name).not.toBeEmpty();
  const calls = page.locator('.row.calls', { hasText: 'people.get' });
  await expect(calls).toContainText('members');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as tape' }).click();
  const saved = await (await download).path();
  const tape = readTape(await readFile(saved, 'utf8'));
  expect(tape.head).toMatchObject({ app: 'guestbook', isRedacted: true });
  expect(await readFile(saved, 'utf8')).not.toContain(await name.textContent());

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a tape' }).click();
  await (await chooser).setFiles(saved);
  await expect(page.locator('.tape')).toContainText('redacted');
  await expect(calls).toContainText('members');
  await page.getByRole('button', { name: 'Close the tape' }).click();
  await expect(page.locator('.tape')).toHaveCount(0);

  const dropped = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'other.tape'));
      return transfer;
    },
    await readFile(join(folder, 'failure.tape'), 'utf8'),
  );
  const harm = await watch(page);
  await page.locator('gantry-calls-panel').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.locator('.tape')).toContainText('posts a greeting');
  await page.getByRole('button', { name: 'Close the tape' }).click();
  const none = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['hello'], 'notes.txt'));
    return transfer;
  });
  await page.locator('gantry-calls-panel').dispatchEvent('drop', { dataTransfer: none });
  await expect(page.getByRole('alert')).toContainText('This is no tape');
  expect(await harm()).toEqual({ elsewhere: [], ran: false });
});
