import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '@gantry/lab';
import { canonicalTape, canonicalText, createTape, readTape, redactTape, type Tape, writeTape } from '@gantry/lab/tape';
import { expect, type Gadget, test as kit } from '@gantry/testing';
import { writeApp } from '../write-app.ts';

// A new user's gadget: recorded once against a lab, then run against its tape.

const page = (count: number) => `<!doctype html><meta charset="utf-8"><title>Guestbook</title>
<script src="/gantry/osapi.js"></script>
<p id="name"></p><img alt=""><p id="time"></p><ol id="posts"></ol><button id="post">Post</button><p id="said"></p>
<script type="module">
const say = (id, text) => { document.getElementById(id).textContent = text; };
const me = await osapi.people.get({ userId: '@viewer' });
say('name', me.displayName);
document.querySelector('img').src = me.thumbnailUrl;
say('time', new Date().toISOString().slice(0, 10));
osapi.activities.get({ userId: '@viewer', groupId: '@friends', count: ${count} }).subscribe(({ list }) => {
  document.getElementById('posts').replaceChildren(...list.slice(0, 3).map(({ title }) => Object.assign(document.createElement('li'), { textContent: title })));
});
document.getElementById('post').onclick = () => say('said', '') || osapi.activities.create({ userId: '@viewer', activity: { title: 'Hello from ' + me.displayName } })
  .then(() => say('said', 'posted'), ({ code }) => say('said', 'refused ' + code));
</script>`;

const app = writeApp('guestbook', {
  'index.html': page(5),
  'gadget.json': JSON.stringify({
    name: 'Guestbook',
    page: 'index.html',
    uses: ['people.get', 'activities.get', 'activities.create'],
  }),
});
const folder = join(app, '..');

const test = kit.extend({
  apps: async ({ browserName: _ }, use) => use([app]),
  world: async ({ browserName: _ }, use) => use('friendly'),
});

function write(count: number): Promise<void> {
  return writeFile(join(app, 'index.html'), page(count));
}

const said = (gadget: Gadget) => gadget.frame.locator('#said');

async function post(gadget: Gadget, result: string): Promise<void> {
  await gadget.frame.getByRole('button', { name: 'Post' }).click();
  await expect(said(gadget)).toHaveText(result);
}

/** Normalizes entries of a run, so that equal conversations compare as equal. */
function canonical(entries: readonly Entry[]): string {
  const run = createTape(
    { host: 'lab', app: 'guestbook', scenario: {} },
    entries.filter(({ place }) => place),
  );
  return canonicalText(canonicalTape(run, { wildcards: true, replies: 'delivered' }));
}

/** Runs a tester's actions on the gadget, for a lab as for a tape. */
async function visit(gadget: Gadget): Promise<void> {
  await expect(gadget.frame.locator('#name')).not.toBeEmpty();
  const picture = gadget.frame.locator('img');
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await post(gadget, 'posted');
  await post(gadget, 'refused 429');
}

async function secondVisit(gadget: Gadget, newest = 'Hello from Bo'): Promise<void> {
  await post(gadget, 'posted');
  await expect(gadget.frame.locator('#posts')).toContainText(newest);
}

test.describe.configure({ mode: 'serial' });
let tape: Tape;

test('a lab is recorded: a refusal, a jump of the clock, the activity of a friend, a second mount', async ({
  gadget,
  gantry,
}) => {
  await gadget.mount();
  await visit(gadget);
  gantry.clock.jump(30_000);
  const friend = await gantry.open('m-2');
  await friend.mount();
  await post(friend, 'posted');
  await secondVisit(gadget);
  await gadget.mount('guestbook', { view: 'profile' });
  await expect(gadget.frame.locator('#posts')).toContainText('Hello from Bo');
  await expect.poll(() => gadget.record.filter(({ kind }) => kind === 'reply').length).toBe(7);
  tape = readTape(writeTape(createTape({ host: 'lab', app: 'guestbook', scenario: {} }, gadget.record)));
});

test('a gadget runs against its tape, as often as wanted, with the same conversation', async ({ gadget, gantry }) => {
  const redacted = readTape(writeTape(redactTape(tape)));
  const last = redacted.entries.findLast((entry) => entry.kind === 'reply' && entry.ok);
  const [newest] = (last as unknown as { ok: { list: { title: string }[] } }).ok.list;
  expect(newest?.title).not.toMatch(/Hello|Bo/);
  const title = newest?.title.replace(/^\w+ \w+/, 'Hello from') ?? ''; // the app’s own words are unredacted
  const eventCount = redacted.entries.filter(({ kind }) => kind === 'event').length;
  const runs = new Set<string>();
  for (let run = 0; run < 2; run += 1) {
    const before = gantry.lab.record.entries.length;
    const replay = await gadget.replay(redacted);
    const entries = (): readonly Entry[] => {
      const since = gantry.lab.record.entries.slice(before); // the end of the previous run
      return since.slice(since.findIndex((entry) => entry.kind === 'load' && entry.what === 'start'));
    };
    await visit(gadget);
    await secondVisit(gadget, title);
    await replay.mount();
    await expect(gadget.frame.locator('#posts')).toContainText(title);
    await replay.finished();
    // Also the page's own events to both documents, recorded a moment later.
    const countOf = (wantedKind: Entry['kind']) => entries().filter(({ kind }) => kind === wantedKind).length;
    await expect.poll(() => [countOf('reply'), countOf('event')]).toEqual([7, eventCount]);
    runs.add(canonical(entries()));
  }
  expect([...runs].length).toBe(1);
});

test('a gadget sees the members and the time of its tape, not those of the lab', async ({ gadget }) => {
  const renamed = readTape(writeTape(tape).replaceAll('Ada Lovell', 'Xux Yyyyyy').replaceAll('m-1', 'q-7'));
  const then = Date.UTC(2019, 4, 17, 12);
  const redacted = { ...renamed, head: { ...renamed.head, isRedacted: true, startMs: then } };
  const [, second = 0] = redacted.entries.flatMap(({ kind }, index) => (kind === 'reply' ? index : []));
  const entries = redacted.entries.slice(0, second + 1);
  const replay = await gadget.replay({ ...redacted, entries });
  await expect(gadget.frame.locator('#name')).toHaveText('Xux Yyyyyy');
  await expect(gadget.frame.locator('#time')).toHaveText('2019-05-17');
  expect(await gadget.context()).toMatchObject({ viewer: 'q-7' });
  await replay.finished();
});

const changed = test.extend({ expectedErrors: [['no such call'], { scope: 'test' }] });
changed(
  'a changed app is a mismatch, with the calls around it and the command that records the tape again',
  async ({ gadget }) => {
    await write(7);
    const replay = await gadget.replay(tape);
    const failure = await replay.finished().catch((error: Error) => error.message);
    expect(failure).toContain('Call 2 is another one than the tape has.');
    expect(failure).toContain('- 2 activities.get {"userId":"@viewer","groupId":"@friends","count":5}');
    expect(failure).toContain('+ 2 activities.get {"userId":"@viewer","groupId":"@friends","count":7}');
    expect(failure).toMatch(/GANTRY_TAPES=update npx playwright test \S*replay\.spec\.ts:\d+/);
    await write(5);
  },
);

test.fail('a replay in the browser of a second member is checked at the end of the test', async ({ gantry }) => {
  const other = await gantry.open('m-2');
  await write(7);
  await other.replay(tape);
  await write(5);
});

test('calls that the app does not make are a mismatch', async ({ gadget }) => {
  const replay = await gadget.replay(tape);
  const failure = await replay.finished({ timeout: 500 }).catch((error: Error) => error.message);
  expect(failure).toContain('The app did not make call 3 of 7 that the tape has.');
});

test('a tape that is not there names the command that records it', async ({ gadget }) => {
  await expect(gadget.replay(join(folder, 'none.jsonl'))).rejects.toThrow(/There is no tape .*GANTRY_TAPES=update/);
});

test('with GANTRY_TAPES=update the same test records the tape, redacted, for its owner only (security rule 30)', async ({
  gadget,
  gantry,
}) => {
  const path = join(folder, 'tapes/new.tape');
  process.env.GANTRY_TAPES = 'update';
  try {
    const recording = await gadget.replay(path, {
      app: 'guestbook',
      async record() {
        await post(gadget, 'posted');
        await expect.poll(() => gadget.calls.at(-1)).toMatchObject({ operation: 'activities.create', isSettled: true });
      },
    });
    await recording.finished();
  } finally {
    delete process.env.GANTRY_TAPES;
  }
  const text = await readFile(path, 'utf8');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(readTape(text).head).toMatchObject({ app: 'guestbook', isRedacted: true });
  expect(text).not.toContain('Ada Lovell');
  const before = gantry.lab.record.entries.length;
  const replay = await gadget.replay(path);
  await expect(gadget.frame.locator('#name')).not.toBeEmpty();
  await post(gadget, 'posted');
  await replay.finished();
  expect(gantry.lab.record.entries.slice(before).some(({ kind }) => kind === 'refusal')).toBe(false);
});
