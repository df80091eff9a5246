import { expect, test } from 'vitest';
import { friendsUrl, signed, startBenchSite } from '../site.ts';

test('the measured site answers the signed read that benchmarks repeat, and the same bytes without work', async () => {
  const site = await startBenchSite();
  try {
    const answer = await fetch(friendsUrl(site.url), { headers: signed(site.url, site.consumer) });
    expect(answer.status).toBe(200);
    const friends = await answer.text();
    expect(JSON.parse(friends).entry).toHaveLength(20);
    expect(await (await fetch(`${site.url}/static`)).text()).toBe(friends);
  } finally {
    await site.close();
  }
});
