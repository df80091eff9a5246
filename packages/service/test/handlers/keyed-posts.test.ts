import { randomBytes } from 'node:crypto';
import { writeSetting } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { items, openSite, type Reply, type Site, start, village } from '../site.ts';

const openVillage = (open: Parameters<typeof openSite>[0]): Promise<Site> => openSite(open, village);

function post(site: Site, key: string | undefined, body: object = { title: 'Low tide' }, as = '1'): Promise<Reply> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return site.send({ method: 'POST', path: '/activities/@me/@self', body, as, headers });
}

async function titles(site: Site, member = '1'): Promise<unknown[]> {
  return items(await site.get(`/activities/${member}/@self`, { as: member })).map(({ title }) => title);
}

describe.each(databases)('posts with an Idempotency-Key on $name', ({ open }) => {
  test('a repeat is answered with what the first one posted, within the interval too and after a restart', async () => {
    const site = await openVillage(open);
    const first = await post(site, 'k1');
    expect(first.status).toBe(200);
    site.nowMs += 10_000; // the interval is 30 seconds
    const repeat = await post(site, 'k1');
    expect([repeat.status, repeat.json]).toEqual([200, first.json]);
    site.nowMs += 3_600_000;
    expect((await post(site, 'k1')).json).toEqual(first.json);
    expect(await titles(site)).toEqual(['Low tide']);
  });

  test('posts without a key are separate (positive control)', async () => {
    const site = await openVillage(open);
    await post(site, undefined);
    site.nowMs += 30_000;
    await post(site, undefined);
    expect(await titles(site)).toEqual(['Low tide', 'Low tide']);
  });

  test.each([0, 30])('one of ten posts at once with the same key is stored (interval of %i s)', async (seconds) => {
    const site = await openVillage(open);
    await writeSetting(site.db, 'minimumInterval', String(seconds));
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(site, 'same')));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
    expect(await titles(site)).toEqual(['Low tide']);
  });

  test('a key belongs to one member and one app', async () => {
    const site = await openVillage(open);
    const mine = await post(site, 'k');
    const theirs = await post(site, 'k', { title: 'High tide' }, '2');
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    expect(theirs.json).not.toEqual(mine.json);
    expect(await titles(site, '2')).toEqual(['High tide']);
  });

  test('another post with a used key is a 409, and nothing is stored', async () => {
    const site = await openVillage(open);
    await post(site, 'k');
    site.nowMs += 60_000;
    expect((await post(site, 'k', { title: 'High tide' })).status).toBe(409);
    expect(await titles(site)).toEqual(['Low tide']);
  });

  test('a post that came too soon does not use up its key', async () => {
    const site = await openVillage(open);
    await post(site, 'k1');
    expect((await post(site, 'k2', { title: 'Later' })).status).toBe(500);
    site.nowMs += 30_000;
    expect((await post(site, 'k2', { title: 'Later' })).status).toBe(200);
    expect(await titles(site)).toEqual(['Later', 'Low tide']);
  });

  test('a key that is no printable text is a 400', async () => {
    const site = await openVillage(open);
    for (const key of ['', 'two words', 'é', 'k'.repeat(256)]) {
      expect((await post(site, key)).status, JSON.stringify(key)).toBe(400);
    }
  });

  test('keys are kept for three days', async () => {
    const bytes = { first: 1 }; // 0 triggers pruning
    const random = (length: number) => Uint8Array.of(bytes.first, ...randomBytes(length - 1));
    const site = await openSite(open, village, { random });
    const storedKeys = () => site.db.query(sql`select post_key from keyed_post order by post_key`);
    await post(site, 'old');
    bytes.first = 0;
    site.nowMs = start + 72 * 60 * 60 * 1000;
    await post(site, 'new');
    expect(await storedKeys()).toEqual([{ post_key: 'new' }, { post_key: 'old' }]);
    site.nowMs += 30_000;
    await post(site, 'newest');
    expect(await storedKeys()).toEqual([{ post_key: 'new' }, { post_key: 'newest' }]);
  });
});
