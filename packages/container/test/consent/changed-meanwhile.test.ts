import { expect, test, vi } from 'vitest';
import type { Gadget } from '../../src/gadget.ts';
import { createSetting, tick } from '../setting.ts';

/** A page that listens to its site, which has paused `chess`. */
async function followingPage() {
  const setting = createSetting();
  setting.network.paused.add('chess');
  const container = setting.newPage();
  await setting.mount(container, 'notes');
  const resume = () => {
    setting.network.paused.clear();
    setting.change('chess');
  };
  return { ...setting, container, resume };
}

test('a gadget is told of an app that is resumed before the page has fetched what waits for it', async () => {
  const { container, resume } = await followingPage();
  expect(await container.mount({ app: 'chess' }, () => {})).toHaveProperty('error');
  const resumed = new Promise<void>((resolve) => container.awaitResume('chess', resolve));
  resume();
  await resumed;
});

test('a gadget whose app is resumed while it opens is mounted, and one that nothing changed asks once', async () => {
  const { container, network, resume } = await followingPage();
  network.transform = (response) => {
    network.transform = (later) => later;
    resume();
    return response;
  };
  const asked = network.posts.length;
  expect(await container.mount({ app: 'chess' }, () => {})).toHaveProperty('ok');
  expect(network.posts.length - asked).toBe(2);
  expect(await container.mount({ app: 'chess' }, () => {})).toHaveProperty('ok');
  expect(network.posts.length - asked).toBe(3);
});

/** A page with a gadget that asks for what it needs. */
async function askingPage() {
  const setting = createSetting();
  const { network } = setting;
  network.consent = { needed: ['people'], optional: [] };
  const container = setting.newPage();
  const onReplace = vi.fn();
  const mount = () => container.mount({ app: 'chess' }, onReplace);
  const reply = await mount();
  const gadget = ('ok' in reply && reply.ok) as Gadget;
  return { ...setting, container, mount, gadget, onReplace };
}

test('a gadget that opens while its member allows the app does not ask again', async () => {
  const { network, mount, gadget } = await askingPage();
  const asked = network.posts.length;
  network.transform = async (before) => {
    network.transform = (later) => later;
    network.consent = { needed: [], optional: [] };
    await gadget.decide({ grant: ['people'] });
    return before;
  };
  expect(await mount()).toMatchObject({ ok: { consent: { needed: [] } } });
  expect(network.posts.slice(asked).map(({ path }) => path)).toEqual(['instances', 'grants', 'instances']);
});

test('a gadget that asks stays when its page asks again and nothing is another, and is replaced once something is', async () => {
  const { network, change, onReplace } = await askingPage();
  const askAgain = async () => {
    const { length } = network.posts;
    change('chess');
    await vi.waitFor(() => expect(network.posts.length).toBeGreaterThan(length));
    await tick();
  };
  await askAgain();
  expect(onReplace).not.toHaveBeenCalled();
  network.title = () => 'Chess for two';
  await askAgain();
  expect(onReplace).toHaveBeenCalledExactlyOnceWith('decided');
});

test.each([{ needed: ['people', 'activities'] as const }, { needed: [] }])(
  'a gadget that asks is replaced when it needs $needed now',
  async (consent) => {
    const { network, change, onReplace } = await askingPage();
    network.consent = { ...consent, optional: [] };
    change('chess');
    await vi.waitFor(() => expect(onReplace).toHaveBeenCalledExactlyOnceWith('decided'));
  },
);
