import { join } from 'node:path';
import { expect, test } from '@gantry/testing';

test.use({ apps: [join(import.meta.dirname, '../../demo/apps/friends')] });

test('gadgets that were replaced hold no connection: a page mounts more often than a browser has connections', async ({
  gadget,
  page,
}) => {
  const streams = new Set<string>();
  let begun = 0;
  page.on('request', (request) => {
    if (!request.url().endsWith('/gantry/events')) return;
    begun += 1;
    streams.add(`${begun}`);
    const number = `${begun}`;
    const over = (ended: unknown): void => void (ended === request && streams.delete(number));
    page.on('requestfailed', over);
    page.on('requestfinished', over);
  });
  for (let mounts = 1; mounts <= 8; mounts += 1) {
    await gadget.mount('friends', { persona: `m-${mounts}` });
    await expect.poll(() => begun).toBe(mounts);
  }
  await expect.poll(() => streams.size).toBe(1);
});
