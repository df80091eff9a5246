import { type Service, writeSetting } from '@gantry/service';
import { createSharedRates, sharedRatesTable, sql } from '@gantry/store';
import { createRateLimit } from '@gantry/wire/runtime';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, type Site, send, serviceOf, village } from '../site.ts';

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

  test('with shared rates two processes let a key through as often as one; apart, twice as often (decision 97)', async () => {
    const site = await limited(20, 4);
    await site.db.query(sql`drop table if exists shared_rate`);
    await site.db.batch(sharedRatesTable);
    const now = () => site.nowMs;
    const own = () => createRateLimit(now).take;
    const shared = () => createSharedRates({ db: site.db, now, own: own() });
    const passes = async (takeRate: () => ReturnType<typeof shared>) => {
      const services = await Promise.all([0, 1].map(() => serviceOf(site, { now, takeRate: takeRate() })));
      let passed = 0;
      for (let n = 0; n < 12; n++) {
        const call = { path: me, key: 'notes-app', timestamp: Math.floor(site.nowMs / 1000) };
        if ((await send(services[n % 2] as Service, call)).status === 200) passed++;
      }
      for (const service of services) await service.close();
      return passed;
    };
    expect(await passes(shared)).toBe(4);
    expect(await passes(own)).toBe(8); // control
  });

  test('a change of the limit holds from the next request on', async () => {
    const site = await limited(1, 1);
    expect([(await site.get(me)).status, (await site.get(me)).status]).toEqual([200, 429]);
    await writeSetting(site.db, 'rateLimit', '0');
    expect((await site.get(me)).status).toBe(200);
  });
});
