import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, type Site, village } from '../site.ts';

describe.each(databases)('rate limits on $name', ({ open }) => {
  const me = '/people/@me/@self';

  async function limited(perMinute: number, burst: number): Promise<Site> {
    const site = await openSite(open, village);
    await writeSetting(site.db, 'rateLimit', String(perMinute));
    await writeSetting(site.db, 'rateBurst', String(burst));
    return site;
  }

  test('there is no limit until the site sets one', async () => {
    const site = await openSite(open, village);
    const replies = await Promise.all(Array.from({ length: 150 }, () => site.get(me, { key: 'notes-app' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('over its limit a key gets 429 with the seconds to wait, and goes on after them (contract §4)', async () => {
    const site = await limited(20, 2);
    const ask = () => site.get(me, { key: 'notes-app' });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(refused.json).toEqual({
      error: { code: 429, message: 'Too many requests: go on in 3 s, and more slowly.' },
    });
    site.nowMs += 2_999;
    expect((await ask()).status).toBe(429);
    site.nowMs += 1;
    expect((await ask()).status).toBe(200);
  });

  test("one key's limit is no other's, and a key of an app has one for all its members", async () => {
    const site = await limited(1, 1);
    expect((await site.get(me, { key: 'notes-app', as: '1' })).status).toBe(200);
    expect((await site.get(me, { key: 'notes-app', as: '2' })).status).toBe(429);
    expect((await site.get(me, { key: 'member-2', as: '2' })).status).toBe(200);
  });

  test("behind the site's own key each member has a limit of their own", async () => {
    const site = await limited(1, 1);
    expect((await site.get(me, { as: '1' })).status).toBe(200);
    expect((await site.get(me, { as: '1' })).status).toBe(429);
    expect((await site.get(me, { as: '2' })).status).toBe(200);
  });

  test('requests that prove nothing use up nothing of the key that they name', async () => {
    const site = await limited(1, 1);
    for (let i = 0; i < 5; i++) expect((await site.get(me, { key: 'notes-app', secret: 'guess' })).status).toBe(401);
    expect((await site.get(me, { key: 'notes-app' })).status).toBe(200);
  });

  test('a change of the limit holds from the next request on', async () => {
    const site = await limited(1, 1);
    expect([(await site.get(me)).status, (await site.get(me)).status]).toEqual([200, 429]);
    await writeSetting(site.db, 'rateLimit', '0');
    expect((await site.get(me)).status).toBe(200);
  });
});
