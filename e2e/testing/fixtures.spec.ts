import { expect, type Gantry, test as kit, shortFixtures } from '@gantry/testing';
import { test as base, mergeTests } from '@playwright/test';
import { writeApp } from '../write-app.ts';

const page = `<!doctype html>
<html lang="en">
  <head><title>Tides</title><script src="/gantry/osapi.js"></script></head>
  <body>
    <p id="who">…</p><button id="note">Note</button><button id="ask">Ask</button>
    <script>
      osapi.ready.then(async () => {
        document.getElementById('note').onclick = () => { void gantry.state.set({ noted: 7 }); };
        document.getElementById('ask').onclick = () => osapi.people.get({ userId: '@viewer', groupId: '@friends' }).execute(() => {});
        const me = await osapi.people.get({ userId: '@viewer' });
        document.getElementById('who').textContent = me.displayName;
      });
    </script>
  </body>
</html>`;

const files = {
  'gadget.json': '{ "name": "Tides", "page": "index.html", "uses": ["people.get"] }',
  'index.html': page,
};

// A new user's app in its own folder, with fixtures of its own.
const ownFixtures = base.extend<{ tideOf: (name: string) => string }, { appFolder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
  appFolder: [async ({}, use) => use(writeApp('tide-table', files)), { scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  tideOf: async ({}, use) => use((name) => `${name} at low tide`),
});
const test = mergeTests(kit, ownFixtures).extend({ apps: async ({ appFolder }, use) => use([appFolder]) });

const makes = { count: 0 };
const world = (): unknown => {
  makes.count += 1;
  return {
    members: [
      { id: 'tide', displayName: 'Tida Low' },
      { id: 'ebb', displayName: 'Ebba Flood' },
    ],
  };
};

test.describe('a world of a function', () => {
  test.use({ world: { make: world } });
  for (const time of ['first', 'second']) {
    test(`is prepared once per worker, and new for each test: ${time}`, async ({ gadget, tideOf }) => {
      await gadget.mount();
      await expect(gadget.frame.locator('#who')).toHaveText('Tida Low');
      expect(tideOf(gadget.viewer)).toBe('tide at low tide');
      expect(makes.count).toBe(1);
    });
  }
});

test('a gadget is updated, loaded anew, mounted for another member and taken away', async ({ gadget }) => {
  await gadget.mount();
  await gadget.settled();
  expect(gadget.calls.map(({ operation, isSettled }) => ({ operation, isSettled }))).toEqual([
    { operation: 'people.get', isSettled: true },
  ]);
  await gadget.update({ theme: 'dark', width: 300 });
  expect(await gadget.element.evaluate(({ parentElement }) => parentElement?.style.inlineSize)).toBe('300px');
  expect(await gadget.context()).toMatchObject({ viewer: gadget.viewer, view: 'home' });
  const loads = () => gadget.record.filter((entry) => entry.kind === 'load' && entry.what === 'ready').length;
  expect(loads()).toBe(1);
  await gadget.reload();
  await gadget.settled();
  expect(loads()).toBe(2);
  await gadget.frame.getByRole('button', { name: 'Note' }).click();
  await expect.poll(() => gadget.state()).toEqual({ noted: 7 });
  const before = gadget.viewer;
  await gadget.mount('tide-table', { persona: 'm-2' });
  await gadget.settled();
  expect([before, gadget.viewer]).toEqual(['m-1', 'm-2']);
  expect(loads()).toBe(1); // the record begins with each mount
  await gadget.unmount();
  await expect(gadget.element).toHaveCount(0);
});

const failing = test.extend({ expectedErrors: [['OsapiError'], { scope: 'test' }] });
failing('a scenario configures the site of its own mount', async ({ gadget, gantry }) => {
  await gadget.mount('tide-table', { network: 'fail-once' });
  await gadget.settled();
  expect(gadget.calls.map(({ error }) => error?.code)).toEqual([503]);
  await gadget.mount('tide-table', { permissions: 'none', persona: 'm-3' });
  await gadget.settled(); // the consent card is open
  expect(gadget.calls).toEqual([]);
  expect(gantry.faults.network).toBe('fast');
  gantry.faults.network = 'offline';
  await gadget.mount('tide-table', { persona: 'm-4', permissions: 'all' });
  expect(gantry.faults.network).toBe('offline'); // the test has set it
});

const short = test.extend<Gantry>(shortFixtures);
short(
  'short names, for those who want them, are the parts of gantry',
  async ({ gantry, calls, clock, consent, faults, lab, network, open, site, social }) => {
    const parts = { calls, clock, consent, faults, lab, network, open, site, social };
    for (const [name, part] of Object.entries(parts)) expect(part, name).toBe(gantry[name as keyof Gantry]);
  },
);

test('waits have a limit, and report the state instead', async ({ gadget, gantry }) => {
  await gadget.mount();
  await gadget.settled();
  gantry.faults.once('people.get').delay(60_000);
  await gadget.frame.getByRole('button', { name: 'Ask' }).click();
  await expect(gadget.settled({ timeout: 200 })).rejects.toThrow(
    /^Waited 200 ms for tide-table to settle: 1 call open: people\.get\.$/,
  );
});

test('errors list the existing names', async ({ gadget, gantry }) => {
  await expect(gadget.settled()).rejects.toThrow('No gadget is mounted');
  await expect(gadget.mount('tides')).rejects.toThrow('There is no app "tides" under test: there are tide-table.');
  const mount = (options: object) => gadget.mount('tide-table', options);
  await expect(mount({ theme: 'grey' })).rejects.toThrow(
    'tide-table cannot be mounted so: theme must be "light" or "dark".',
  );
  await expect(mount({ width: '320px' })).rejects.toThrow('width must be a whole number from 120 to 2560 pixels.');
  await expect(mount({ presona: 'm-2' })).rejects.toThrow('There is no presona. Did you mean persona?');
  await expect(mount({ world: 'empty' })).rejects.toThrow('its world is test.use({ world }).');
  await expect((await gantry.open('m-99999')).mount()).rejects.toThrow('This world has no member m-99999.');
});

failing('several members look at one site, and each gadget has its own refusals', async ({ gadget, gantry }) => {
  const others = [await gantry.open('m-2'), await gantry.open('nobody')];
  for (const one of [gadget, ...others]) await one.mount();
  for (const one of [gadget, ...others]) await one.settled();
  expect([gadget, ...others].map(({ viewer }) => viewer)).toEqual(['m-1', 'm-2', 'nobody']);
  const [friend = gadget] = others;
  await expect(friend.frame.locator('#who')).toHaveText('Bo Sand');
  gantry.calls.once('people.getFriends', (call) => call.fail(403));
  await friend.frame.getByRole('button', { name: 'Ask' }).click();
  await friend.settled();
  expect(friend.refusals).toMatchObject([{ kind: 'refusal', entry: { operation: 'people.get', viewer: 'm-2' } }]);
  for (const one of [gadget, others[1]]) expect(one?.refusals).toEqual([]);
});

test.describe('with a seed', () => {
  test.use({ seed: 'low tide' });
  const seen: string[] = [];
  for (const time of ['first', 'second']) {
    test(`two runs are equal: ${time}`, async ({ gadget }) => {
      await gadget.mount();
      await gadget.settled();
      const lines = gadget.record.flatMap((entry) =>
        ['call', 'reply', 'context', 'handshake'].includes(entry.kind)
          ? JSON.stringify({ ...entry, number: 0, tookMs: 0 })
          : [],
      );
      seen.push(lines.join('\n').replaceAll(/127\.0\.0\.1:\d+/g, 'site'));
      expect(seen.at(-1)).toContain('people.get');
      expect(seen.at(-1)).toBe(seen[0]);
    });
  }
});

test('the server of a test answers its own pages only (security rule 15)', async ({ gadget, gantry, request }) => {
  await gadget.mount();
  const { origin } = new URL(gadget.page.url());
  const entry = {
    kind: 'call',
    call: 99,
    operation: 'forged',
    params: {},
    lab: gantry.lab.name,
    app: 'tide-table',
    place: 'm-1/tide-table#1',
  };
  const post = (headers: Record<string, string>, data: unknown = [entry]) =>
    request.post(`${origin}/kit/record`, { headers, data });
  expect((await post({ Origin: 'https://evil.example' })).status()).toBe(403);
  expect((await post({ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' })).status()).toBe(403);
  expect((await post({ Host: 'evil.example' })).status()).toBe(403);
  expect((await post({}, 'x'.repeat(5_000_000))).status()).toBe(413);
  expect((await post({}, { not: 'a list' })).status()).toBe(400);
  expect(gadget.calls.map(({ operation }) => operation)).not.toContain('forged');
  expect((await request.post(`${origin}/gantry/calls`, { headers: { 'Gantry-Lab': 'gone' }, data: {} })).status()).toBe(
    410,
  );
  expect((await post({})).status()).toBe(204); // control: the page’s request succeeds
  expect(gadget.calls.map(({ operation }) => operation)).toContain('forged');
});
