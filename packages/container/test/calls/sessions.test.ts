import { expect, test, vi } from 'vitest';
import type { Container } from '../../src/container-api.ts';
import type { Network } from '../network.ts';
import { asTestGadget, createSetting, friends, mountOne, post, stream } from '../setting.ts';

test('a token is renewed before it runs out, once for all calls', async () => {
  const { network, clock, gadget } = await mountOne();
  clock.nowMs += 539_000;
  await gadget.answer(friends);
  expect(network.posts.map(({ path }) => path)).toEqual(['instances', 'calls']);
  clock.nowMs += 1_000;
  await Promise.all([gadget.answer(stream), gadget.answer(post)]);
  expect(network.posts.map(({ path }) => path)).toEqual(['instances', 'calls', 'instances', 'calls']);
  expect(network.calls()[1]?.calls.map(({ instance }) => instance)).toEqual(['i2', 'i2']);
});

test('a call that meets an expired token is sent again with a new one, a write too: the proxy did nothing yet', async () => {
  const { network, gadget } = await mountOne();
  network.expired.add(JSON.stringify({ app: 'friends', viewer: '1', owner: '1', serial: 1 }));
  const replies = await Promise.all([gadget.answer(friends), gadget.answer(post)]);
  expect(replies).toMatchObject([{ ok: { for: '1' } }, { ok: { for: '1' } }]);
  expect(network.posts.map(({ path }) => path)).toEqual(['instances', 'calls', 'instances', 'calls']);
});

test('one renewal is enough: a second TOKEN_EXPIRED is the answer', async () => {
  const { network, gadget } = await mountOne();
  network.site = () => ({ error: { code: 401, message: 'Expired.', data: { reason: 'TOKEN_EXPIRED' } } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { data: { reason: 'TOKEN_EXPIRED' } } });
  expect(network.calls()).toHaveLength(2);
});

test('a token that cannot be renewed answers its own gadget’s calls only', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [one, two] = await Promise.all([mount(container, 'one'), mount(container, 'two')]);
  network.expired.add(JSON.stringify({ app: 'one', viewer: '1', owner: '1', serial: 1 }));
  network.transform = (response, { path }) => (path === 'instances' ? new Response('', { status: 500 }) : response);
  expect(await Promise.all([one.answer(friends), two.answer(friends)])).toMatchObject([
    { error: { code: 503 } },
    { ok: { for: '1' } },
  ]);
});

test.each([
  ['a call says so', 0],
  ['a renewed token does', 600_000],
])('when the viewer changed and %s, results are purged and every gadget hears of it once', async (_, laterMs) => {
  const { network, storage, clock, newPage, mount } = createSetting();
  const container = newPage();
  const first = await mount(container);
  await first.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const spies = [vi.fn(), vi.fn()];
  const [one, two] = await Promise.all(spies.map((onReplace) => container.mount({ app: 'stream' }, onReplace)));
  if (!one || !two || 'error' in one || 'error' in two) throw new Error('Not mounted.');
  network.viewer = '2';
  clock.nowMs += laterMs;
  const [streamOne, streamTwo] = [asTestGadget(one.ok), asTestGadget(two.ok)];
  expect(
    await Promise.all([streamOne.answer(stream), streamTwo.answer(post), streamOne.answer(friends)]),
  ).toMatchObject([{ error: { code: 401 } }, { error: { code: 401 } }, { error: { code: 401 } }]);
  expect(spies.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  await vi.waitFor(() => expect(storage.content.size).toBe(0));
});

test('last calls of a gadget that was replaced do not replace the new ones', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const old = await mount(container);
  network.viewer = '2';
  await old.answer(friends);
  const onReplace = vi.fn();
  await container.mount({ app: 'friends' }, onReplace);
  expect(await old.answer(stream)).toMatchObject({ error: { data: { reason: 'VIEWER_CHANGED' } } });
  expect(onReplace).not.toHaveBeenCalled();
});

test('a gadget mounted for a new viewer replaces those of the old one', async () => {
  const { network, newPage } = createSetting();
  const container = newPage();
  const onReplace = vi.fn();
  await container.mount({ app: 'friends' }, onReplace);
  await container.mount({ app: 'stream' }, onReplace);
  expect(onReplace).not.toHaveBeenCalled();
  network.viewer = '2';
  await container.mount({ app: 'notes' }, () => undefined);
  expect(onReplace).toHaveBeenCalledTimes(2);
});

test('the frame’s side gets no token (security rule 9)', async () => {
  const { network, gadget } = await mountOne();
  const [{ ok }] = await (
    await network.fetch(new URL('https://site.test/gantry/instances'), {
      body: '[{"app":"friends"}]',
    })
  ).json();
  expect(JSON.stringify(ok)).toContain('serial'); // control: the proxy's answer has it
  expect(JSON.stringify(gadget)).not.toContain('serial');
});

test.each([
  ['a call says so', 0],
  ['a renewed token does', 600_000],
])(
  'when another app has the id and %s, the old frame gets nothing more and is mounted anew (security rule 29)',
  async (_, laterMs) => {
    const { network, storage, clock, newPage, mount } = createSetting();
    const container = newPage();
    const [onScore, onOther] = [vi.fn(), vi.fn()];
    const score = await container.mount({ app: 'score' }, onScore);
    await container.mount({ app: 'other' }, onOther);
    if ('error' in score) throw new Error('Not mounted.');
    const old = asTestGadget(score.ok);
    await old.answer(friends);
    await vi.waitFor(() => expect(storage.content.size).toBe(1));
    network.upstream = 'site, for the new app';
    if (laterMs === 0) {
      network.site = () => ({ error: { code: 410, message: 'Replaced.', data: { reason: 'APP_REPLACED' } } });
    }
    clock.nowMs += laterMs;
    const sent = network.calls().length;
    expect(await old.answer(post)).toMatchObject({ error: { code: 410, data: { reason: 'APP_REPLACED' } } });
    expect(await old.answer(stream)).toMatchObject({ error: { code: 410 } });
    // With a token of the new app's, the old one's document would speak for it.
    expect(network.calls().length - sent).toBe(laterMs === 0 ? 2 : 0);
    expect(onScore).toHaveBeenCalledExactlyOnceWith('decided');
    expect(onOther).not.toHaveBeenCalled();
    network.site = () => ({ ok: { of: 'the new app' } });
    const now = await mount(container, 'score');
    expect(await now.answer(friends)).toMatchObject({ ok: { of: 'the new app' } });
    expect(await answersBeforeFrame({ network, container }, 'other')).toBe(1);
    expect(await answersBeforeFrame({ network, container }, 'other')).toBe(0); // control: known again
    expect(JSON.stringify([...storage.content])).not.toContain('"site"');
  },
);

/** Counts the answers of the proxy before a gadget's frame is made. */
async function answersBeforeFrame(
  { network, container }: { readonly network: Network; readonly container: Container },
  app: string,
): Promise<number> {
  let answers = 0;
  let before: number | undefined;
  network.transform = (response) => {
    answers += 1;
    return response;
  };
  await container.mount({ app }, vi.fn(), {}, () => {
    before = answers;
  });
  return before as number;
}

test('an update of the same app goes on where it was (positive control)', async () => {
  const { network, clock, newPage } = createSetting();
  const onReplace = vi.fn();
  const mounted = await newPage().mount({ app: 'score' }, onReplace);
  if ('error' in mounted) throw new Error('Not mounted.');
  clock.nowMs += 600_000;
  expect(await asTestGadget(mounted.ok).answer(post)).toMatchObject({ ok: {} });
  expect(network.posts.map(({ path }) => path)).toEqual(['instances', 'instances', 'calls']);
  expect(onReplace).not.toHaveBeenCalled();
});
