import { createPasswords } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { type AccountSite, openAccountSite, openBrowser, type Sending, type Shown } from '../account-site.ts';

const minute = 60 * 1000;
const cost = { logN: 4, r: 8, p: 1 };

/** One hash at a time, and none until the test says so. */
function heldPasswords() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const permit = async () => {
    await opened;
    return () => undefined;
  };
  return { passwords: createPasswords({ cost, atOnce: 1, permit }), open };
}

interface Guess extends Sending {
  readonly member: string;
  readonly password: string;
}

async function guesser(site: AccountSite): Promise<(guess: Guess) => Promise<Shown>> {
  const browser = openBrowser(site.account);
  const form = await browser.get('/account/sign-in');
  return ({ member, password, ...sending }) => browser.submit(form, '/account/sign-in', { member, password }, sending);
}

/** Sends the right password of member 1 from a network of its own, by a browser of its own. */
async function signInElsewhere(site: AccountSite): Promise<Shown> {
  const guess = await guesser(site);
  return guess({ member: '1', password: 'pass1', address: '198.51.100.9' });
}

/** Resolves when `count` of these are settled. */
function some(promises: readonly Promise<unknown>[], count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    for (const one of promises) void one.then(() => --left === 0 && resolve());
  });
}

const tally = (replies: readonly Shown[]) =>
  Object.groupBy(
    replies.map(({ status }) => status),
    String,
  );

describe.each(databases)('a flood of wrong passwords on $name', ({ open }) => {
  test.each([
    ['a public network', { address: '203.0.113.7' }],
    ['a private network', { address: '10.0.0.7', isDistinct: false }],
  ])('from %s keeps a member of another one neither waiting nor out (security rule 25)', async (_, from) => {
    const held = heldPasswords();
    const site = await openAccountSite(open, { passwords: held.passwords });
    const guess = await guesser(site);
    const flood = Array.from({ length: 40 }, (_, index) =>
      guess({ member: '1', password: `wrong ${index}`, ...from, address: from.address.replace(/7$/, String(index)) }),
    );
    await some(flood, 24); // 15 wait, which is half of the queue, and one is being checked
    const right = signInElsewhere(site);
    held.open();
    expect((await right).status).toBe(303);
    const { 401: wrong, 429: limited, 503: busy } = tally(await Promise.all(flood));
    expect([wrong?.length, limited?.length, busy?.length]).toEqual([10, 6, 24]);
    for (let time = 0; time < 3; time++) {
      expect((await guess({ member: '1', password: 'wrong', ...from })).status).toBe(429);
      expect((await signInElsewhere(site)).status).toBe(303);
    }
  });

  test('counts nothing that was not checked', async () => {
    const held = heldPasswords();
    const site = await openAccountSite(open, { passwords: held.passwords });
    const guess = await guesser(site);
    const from = { address: '203.0.113.7', password: 'wrong' };
    const flood = Array.from({ length: 40 }, (_, index) => guess({ member: `m${index}`, ...from }));
    await some(flood, 24);
    held.open();
    const { 401: wrong, 503: busy } = tally(await Promise.all(flood));
    expect([wrong?.length, busy?.length]).toEqual([16, 24]);
    for (let index = 16; index < 50; index++) {
      expect((await guess({ member: `later${index}`, ...from })).status).toBe(401);
    }
    expect((await guess({ member: 'last', ...from })).status).toBe(429); // control: 50 are counted
  });

  test('says so to a member who finds no place, and keeps their input', async () => {
    const held = heldPasswords();
    const site = await openAccountSite(open, { passwords: held.passwords });
    const guess = await guesser(site);
    const flood = Array.from({ length: 40 }, () => guess({ member: '1', password: 'wrong', address: '203.0.113.7' }));
    await some(flood, 24);
    const reply = await guess({ member: '2', password: 'pass2', address: '203.0.113.8' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '3']);
    expect(reply.text).toContain('Too many people sign in at this moment. Try again in a few seconds.');
    expect(reply.text).toContain('name="member" value="2"');
    held.open();
    await Promise.all(flood);
    expect((await guess({ member: '2', password: 'pass2', address: '203.0.113.8' })).status).toBe(303);
  });

  test('closes a member’s sign-in after a hundred guesses from many networks (ADR 8)', async () => {
    const site = await openAccountSite(open);
    const guess = await guesser(site);
    for (let index = 0; index < 100; index++) {
      const address = `203.0.${Math.floor(index / 10)}.${index}`;
      expect((await guess({ member: '1', password: 'wrong', address })).status).toBe(401);
    }
    expect((await signInElsewhere(site)).status).toBe(429);
    site.nowMs += 15 * minute;
    expect((await signInElsewhere(site)).status).toBe(303);
  });

  test('leaves no rows behind, though no right password follows', async () => {
    const site = await openAccountSite(open);
    const guess = await guesser(site);
    const rows = async () =>
      (await site.db.query<{ n: number }>(sql`select count(*) as n from sign_in_limit`)).map(({ n }) => Number(n));
    for (let index = 0; index < 20; index++) {
      await guess({ member: `m${index}`, password: 'wrong', address: '203.0.113.7' });
    }
    expect(await rows()).toEqual([41]); // two for each member, and one for the address
    site.nowMs += 16 * minute;
    await guess({ member: '1', password: 'wrong', address: '198.51.100.9' });
    await expect.poll(rows).toEqual([3]); // no attempt waits for the deletion
  });
});
