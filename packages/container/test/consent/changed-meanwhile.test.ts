import { expect, test } from 'vitest';
import { createSetting } from '../setting.ts';

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
