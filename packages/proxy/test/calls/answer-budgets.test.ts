import { type Call, maxAnswerBytes } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSite, says } from '../site.ts';

const tooLarge = {
  code: 413,
  message: `The answers to an app's calls in one request have at most ${maxAnswerBytes} bytes together: ask for less, or page with count and startIndex.`,
  data: { reason: 'TOO_LARGE' },
};

/** A site whose AppData of friends is a text of about so many bytes. */
async function openWide(bytes: number) {
  const requests: string[] = [];
  const site = await openSite({
    upstream: async ({ method, rawTarget }) => {
      requests.push(`${method} ${rawTarget.replace(/\?.*/, '').replace('/social/rest', '')}`);
      if (method !== 'GET') return says({ entry: {} });
      return rawTarget.includes('/appData/')
        ? says({ entry: { 9: { v: 'é'.repeat(bytes / 2) } } })
        : says({ entry: [] });
    },
  });
  return { site, requests };
}

const friendsOf = (instance: string, id: string): Call => ({
  id,
  instance,
  operation: 'appdata.get',
  params: { groupId: '@friends', keys: `v,${id}` }, // distinct, so no answer is shared
});

test('the calls of one app share 4,000,000 bytes; those beyond are refused, and begin nothing (contract §8 Bounds)', async () => {
  const { site, requests } = await openWide(1_500_000);
  const { instance, token } = await site.mount({ app: 'notes' });
  const write: Call = { id: 'w', instance, operation: 'appdata.update', params: { data: { a: 'b' } } };
  const calls = [...Array.from({ length: 30 }, (_, index) => friendsOf(instance, `r${index}`)), write];
  const response = await site.post('/gantry/calls', { tokens: { [instance]: token }, calls });
  const text = await response.text();
  const replies = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(Buffer.byteLength(text)).toBeLessThan(maxAnswerBytes + 20_000); // refusals are not counted
  expect(new Set(replies.map(({ id }) => id)).size).toBe(31);
  expect(replies.filter(({ error }) => error === undefined).map(({ id }) => id)).toHaveLength(3); // two reads, one write
  expect(replies.flatMap(({ error }) => error ?? [])).toEqual(new Array(28).fill(tooLarge));
  expect(requests.filter((each) => each.startsWith('GET'))).toHaveLength(3); // the third exceeds the budget
});

test('budgets of apps are separate (security rule 6)', async () => {
  const { site } = await openWide(2_500_000);
  const [notes, friends] = [await site.mount({ app: 'notes' }), await site.mount({ app: 'friends' })];
  const calls = [
    ...['1', '2', '3'].map((id) => friendsOf(notes.instance, id)),
    ...['4', '5'].map((id) => friendsOf(friends.instance, id)),
  ];
  const replies = await site.call(calls, [notes, friends]);
  expect(calls.map(({ id }) => 'ok' in (replies.get(id) ?? {}))).toEqual([true, false, false, true, false]);
});

test('a write with a long answer is done, and the answer is not stored (security rule 25)', async () => {
  const site = await openSite({
    upstream: async ({ method }) => says({ entry: method === 'GET' ? [] : { title: 'x'.repeat(100_000) } }),
  });
  const { instance, token } = await site.mount({ app: 'notes' });
  const post: Call = {
    id: 'p',
    instance,
    operation: 'activities.create',
    params: { activity: { title: 't' } },
    write: 'w1',
  };
  for (let times = 0; times < 2; times++) {
    expect((await site.call([post], [{ ...(await site.mount({ app: 'notes' })), instance, token }])).get('p')).toEqual({
      id: 'p',
      ok: {},
    });
  }
});

test('for any sizes of answers each call is answered once, and results stay within the bound (security rule 25)', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 3_000_000 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, async (bytes) => {
      let next = 0;
      const site = await openSite({
        upstream: async () => says({ entry: { 9: { v: 'x'.repeat(bytes[next++] ?? 0) } } }),
      });
      const gadget = await site.mount({ app: 'notes' });
      const calls = bytes.map((_, index) => friendsOf(gadget.instance, `c${index}`));
      const replies = await site.call(calls, [gadget]);
      expect([...replies.keys()].sort()).toEqual(calls.map(({ id }) => id).sort());
      const results = [...replies.values()].filter((reply) => 'ok' in reply);
      const total = results.reduce((sum, reply) => sum + JSON.stringify(reply).length + 1, 0);
      expect(total).toBeLessThanOrEqual(maxAnswerBytes);
    }),
    { numRuns: 10 },
  );
});
