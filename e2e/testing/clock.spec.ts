import { expect, test } from '@gantry/testing';
import { appPage, writeApp } from '../write-app.ts';
import { world } from './two-friends.ts';

const egg = writeApp('egg', {
  'gadget.json': JSON.stringify({
    name: 'Egg timer',
    page: 'index.html',
    height: 200,
    uses: ['people.get', 'activities.create'],
  }),
  'index.html': appPage(
    `<output id="fired"></output><output id="every"></output><output id="moved"></output><output id="posted"></output>
     <output id="name"></output><button id="ask">Ask</button><button id="post">Post</button>`,
    `const startedAt = Date.now(), startedElapsed = performance.now();
     const show = (id, text) => { document.getElementById(id).textContent = text; };
     const minutesAgo = () => Math.round((new Date() - startedAt) / 60_000);
     let ticks = 0;
     setInterval(() => show('every', ++ticks), 20_000);
     setTimeout(() => show('fired', 'boiled after ' + Math.round((Date.now() - startedAt) / 1000) + ' s, ' + minutesAgo() + ' min ago'), 30_000);
     const frame = () => { show('moved', performance.now() - startedElapsed < 25_000); requestAnimationFrame(frame); };
     frame();
     const say = (id, call) => call.then((value) => show(id, value), (error) => show(id, error.data.reason));
     document.getElementById('ask').onclick = () => { show('name', '…'); say('name', osapi.people.getViewer().then((me) => me.displayName + ' ' + Date.now())); };
     document.getElementById('post').onclick = () => { show('posted', '…'); say('posted', osapi.activities.create({ activity: { title: 'Egg' }, retry: false }).then(() => 'done')); };`,
  ),
});

test.use({ apps: [egg], world });

test('a jump of the clock fires timers of the app; animation frames and performance go on as ever', async ({
  gadget,
  gantry,
}) => {
  await gadget.mount();
  await gantry.clock.jump('29 s');
  expect(await gadget.frame.locator('#fired').textContent()).toBe(''); // control: not due yet
  await gantry.clock.jump('1 s');
  expect(await gadget.frame.locator('#fired').textContent()).toMatch(/^boiled after 3[0-5] s, 1 min ago$/);
  expect(await gadget.frame.locator('#every').textContent()).toBe('1');
  await expect(gadget.frame.locator('#moved')).toHaveText('true');
});

test('a member may post again when the interval is over by the clock of the test (contract §4)', async ({
  gadget,
  gantry,
}) => {
  const answers = () =>
    gantry.lab.record.entries.flatMap((one) => (one.kind === 'upstream' && one.method === 'POST' ? one.status : []));
  await gadget.mount();
  const post = gadget.frame.getByRole('button', { name: 'Post' });
  await post.click();
  await expect(gadget.frame.locator('#posted')).toHaveText('done');
  await post.click();
  await expect(gadget.frame.locator('#posted')).toHaveText('RATE_LIMITED');
  await gantry.clock.jump('30 s');
  await post.click();
  await expect(gadget.frame.locator('#posted')).toHaveText('done');
  expect(answers()).toEqual([200, 500, 200]);
});

test('a token that expired in jumped time is renewed, and the app sees nothing of it (security rule 9)', async ({
  gadget,
  gantry,
}) => {
  await gadget.mount();
  await gantry.clock.jump('2 d'); // beyond every lifetime
  await gadget.frame.getByRole('button', { name: 'Ask' }).click();
  await expect(gadget.frame.locator('#name')).toHaveText(/^Uma Oven/);
  expect(gadget.calls.map(({ error }) => error)).toEqual([undefined]);
});

test('while time stands still mounts, reads and heartbeats go on, and a document that loads has that time', async ({
  gadget,
  gantry,
}) => {
  await gantry.clock.stop('2030-05-01T12:00:00Z');
  await gadget.mount();
  const ask = gadget.frame.getByRole('button', { name: 'Ask' });
  await ask.click();
  await expect(gadget.frame.locator('#name')).toHaveText(`Uma Oven ${Date.parse('2030-05-01T12:00:00Z')}`);
  const other = await gantry.open('vic');
  await other.mount();
  await gantry.clock.jump('30 s');
  for (const one of [gadget, other]) {
    expect(await one.frame.locator('#fired').textContent()).toBe('boiled after 30 s, 1 min ago');
  }
  await other.frame.getByRole('button', { name: 'Ask' }).click();
  await expect(other.frame.locator('#name')).toHaveText(`Vic Stove ${Date.parse('2030-05-01T12:00:30Z')}`);
  await gantry.clock.start();
  await expect.poll(() => gadget.page.evaluate(() => document.querySelector('#root') !== null)).toBe(true);
});
