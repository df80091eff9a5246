import { expect, test } from 'vitest';
import { connect, context, getFriends } from './page.ts';

test('the app learns its context from the welcome (house, One request)', async () => {
  const { app, container } = connect();
  await container.ready;
  expect(await app.welcome).toEqual(context);
});
test('an answer that is ready crosses with the call', async () => {
  const { app } = connect({ answer: ({ operation }) => ({ ok: { operation } }) });
  expect(await app.send(getFriends)).toEqual({ ok: { operation: 'people.get' } });
});
test('an answer that comes later settles its own request', async () => {
  const { app } = connect({ answer: async ({ params }) => ({ ok: params }) });
  const asked = [1, 2].map((count) => app.send({ operation: 'people.get', params: { count } }));
  expect(await Promise.all(asked)).toEqual([{ ok: { count: 1 } }, { ok: { count: 2 } }]);
});
