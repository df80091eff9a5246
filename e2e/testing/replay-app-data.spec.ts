import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTape, redactTape } from '@gantry/lab/tape';
import { expect, type Gadget, test as kit } from '@gantry/testing';
import { writeApp } from '../write-app.ts';

// A gadget that keeps notes in AppData under keys of its own, reads them back and counts them.

const app = writeApp('notebook', {
  'index.html': `<!doctype html><meta charset="utf-8"><title>Notebook</title>
<script src="/gantry/osapi.js"></script>
<ul id="notes"></ul><input id="text"><button id="add">Add</button><button id="drop">Drop</button><p id="count"></p>
<script type="module">
const $ = (id) => document.getElementById(id);
const userId = '@viewer';
let stored = {};
osapi.appdata.get({ userId }).subscribe((data) => {
  [stored = {}] = Object.values(data);
  const notes = Object.keys(stored).filter((key) => key.startsWith('note.')).map((key) => JSON.parse(stored[key]));
  $('notes').replaceChildren(...notes.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text })));
  $('count').textContent = stored.count ?? '0';
});
$('add').onclick = async () => {
  const [{ displayName }, random] = [await osapi.people.get({ userId }), Math.random().toString(36).slice(2, 10).padEnd(8, '0')];
  const note = { text: $('text').value, by: displayName, saved: new Date().toISOString(), tags: [$('text').value.length, null, true] };
  await osapi.appdata.update({ userId, data: { ['note.' + random]: JSON.stringify(note), last: 'note.' + random, count: String(Number(stored.count ?? 0) + 1) } });
};
$('drop').onclick = () => osapi.appdata.delete({ userId, keys: [stored.last] }).execute();
</script>`,
  'gadget.json': JSON.stringify({
    name: 'Notebook',
    page: 'index.html',
    uses: ['people.get', 'appdata.get', 'appdata.update', 'appdata.delete'],
  }),
});

const test = kit.extend({
  apps: async ({ browserName: _ }, use) => use([app]),
  world: async ({ browserName: _ }, use) => use('friendly'),
});

async function keepNotes({ frame }: Gadget, texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    await frame.locator('#text').fill(text);
    await frame.getByRole('button', { name: 'Add' }).click();
    await expect(frame.locator('#count')).toHaveText(String(index + 1));
    await expect(frame.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  }
  await frame.getByRole('button', { name: 'Drop' }).click();
  await expect(frame.getByRole('listitem')).toHaveCount(texts.length - 1);
}

const path = join(app, '../tapes/notebook.tape');
const texts = ['Ring Ann Bell, 0171 5550199', 'Buy milk', 'Ring Bo'];

async function record(gadget: Gadget): Promise<void> {
  process.env.GANTRY_TAPES = 'update';
  try {
    const record = () => keepNotes(gadget, texts);
    const recording = await gadget.replay(path, { app: 'notebook', record });
    await recording.finished();
  } finally {
    delete process.env.GANTRY_TAPES;
  }
}

test('a tape of AppData writes replays, with the app reading its own keys and texts (kit)', async ({ gadget }) => {
  await record(gadget);
  const text = await readFile(path, 'utf8');
  expect(text).not.toMatch(/note\.|Ann|Bell|5550199|milk|Ada Lovell/);
  expect(redactTape(readTape(text))).toEqual(readTape(text));
  const replay = await gadget.replay(path);
  await keepNotes(gadget, texts);
  await replay.finished();
});

const differing = test.extend({ expectedErrors: [['The tape'], { scope: 'test' }] });
differing('a replay with one text for two of the tape is a mismatch (control)', async ({ gadget }) => {
  await record(gadget);
  const replay = await gadget.replay(path);
  await gadget.frame.locator('#text').fill('Ring Ann Ann, 0171 5550199');
  await gadget.frame.getByRole('button', { name: 'Add' }).click();
  await expect(replay.finished()).rejects.toThrow(/Call \d is another one than the tape has\./);
});
