import { sql } from '@gantry/store';
import { expect, onTestFinished, test } from 'vitest';
import { createClock, createLab, type Lab, seededRandom } from '../src/index.ts';
import { app, openPage, small, url } from './page.ts';

async function lab(options: Partial<Parameters<typeof createLab>[0]> = {}): Promise<Lab> {
  const made = await createLab({ url, apps: [app], world: small, ...options });
  onTestFinished(() => made.close());
  return made;
}

test('a second post is too soon, and after a jump over the interval it is taken (contract §4)', async () => {
  const { clock, ...rest } = await lab();
  const page = openPage(rest, 'eva');
  expect(await page.call('activities.create', { activity: { title: 'one' } })).toMatchObject({ ok: {} });
  const soon = await page.call('activities.create', { activity: { title: 'two' } });
  expect(soon).toMatchObject({ error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter: 30 } } });
  clock.jump(30_000);
  expect(await page.call('activities.create', { activity: { title: 'two' } })).toMatchObject({ ok: {} });
});

test('the interval is the scenario’s, enforced by the service', async () => {
  const page = openPage(await lab({ scenario: { interval: 0 } }), 'eva');
  for (const title of ['one', 'two']) {
    expect(await page.call('activities.create', { activity: { title } })).toMatchObject({ ok: {} });
  }
});

test('a token of a gadget expires in jumped time (security rule 9)', async () => {
  const { clock, ...rest } = await lab();
  clock.stop();
  const page = openPage(rest, 'eva');
  await page.call('people.get');
  clock.jump(599_000);
  expect(await page.call('people.get')).toHaveProperty('ok');
  clock.jump(1_000);
  expect(await page.call('people.get')).toMatchObject({ error: { code: 401, data: { reason: 'TOKEN_EXPIRED' } } });
});

test('an age changes at midnight of the site’s zone (contract §3)', async () => {
  const clock = createClock({ startMs: Date.parse('2026-05-16T23:30:00+12:00') });
  const made = await lab({ clock });
  async function age(): Promise<unknown> {
    const page = openPage(made, 'eva'); // tokens expire during the jumps
    return page.call('people.get', { fields: ['age'] });
  }
  expect(await age()).toMatchObject({ ok: { age: 35 } });
  clock.jump(20 * 60_000); // 23:50; in UTC it stays the same day for another twelve hours
  expect(await age()).toMatchObject({ ok: { age: 35 } });
  clock.jump(20 * 60_000);
  expect(await age()).toMatchObject({ ok: { age: 36 } });
  clock.close();
});

test('while time stands still, calls are answered and posts come too soon', async () => {
  const made = await lab();
  made.clock.stop();
  const page = openPage(made, 'eva');
  await page.call('activities.create', { activity: { title: 'one' } });
  expect(await page.call('people.get')).toHaveProperty('ok');
  const soon = await page.call('activities.create', { activity: { title: 'two' } });
  expect(soon).toMatchObject({ error: { data: { retryAfter: 30 } } });
});

test('two runs with one seed and one clock have the same instances, tokens, nonces and ids', async () => {
  async function run(seed: string) {
    const startMs = 1_800_000_000_000;
    const clock = createClock({ startMs, real: () => startMs }); // else it may pass before it stops
    clock.stop();
    const made = await lab({ clock, random: seededRandom(seed) });
    const page = openPage(made, 'eva');
    const { instance, token } = await page.mount();
    await page.call('activities.create', { activity: { title: 'one' } });
    const posted = await page.call('activities.get');
    const nonces = await made.gantry.stores.db.query(sql`select timestamp_s, digest from nonce order by digest`);
    clock.close();
    return { instance, token, posted, nonces };
  }
  const first = await run('a');
  expect(await run('a')).toEqual(first);
  const other = await run('b');
  expect(other.token).not.toBe(first.token);
  expect(other.nonces).not.toEqual(first.nonces);
  expect(first.nonces).toHaveLength(1); // that of the post: reads of the same process are not signed
});
