import { expect, test } from '@gantry/testing';
import { appPage, writeApp } from '../write-app.ts';
import { world } from './two-friends.ts';

const stream = writeApp('stream', {
  'gadget.json': JSON.stringify({
    name: 'Stream',
    page: 'index.html',
    height: 200,
    uses: ['people.get', 'activities.get'],
    optional: { uses: ['activities.create', 'albums.get'] },
  }),
  'index.html': appPage(
    '<p id="who"></p><ul id="titles"></ul><output id="friends"></output><output id="line"></output><output id="posted"></output><output id="albums"></output><button id="ask">Ask</button><button id="post">Post</button><button id="list">Albums</button>',
    `const show = (id, text) => { document.getElementById(id).textContent = text; };
     const reason = (error) => error.data.reason;
     const load = () => {
       osapi.people.getViewer().then((me) => show('who', me.displayName), (error) => show('who', reason(error)));
     };
     load();
     osapi.activities.get({ groupId: '@friends' }).subscribe(({ list }) => show('titles', list.map(({ title }) => title).join()), () => {});
     osapi.people.getViewerFriends().subscribe(({ list }) => show('friends', list.length), () => {});
     for (const name of ['online', 'offline']) addEventListener(name, () => show('line', name + ' ' + navigator.onLine));
     document.getElementById('ask').onclick = () => gantry.permissions.request(['activities.post']).then((has) => show('posted', has), (error) => show('posted', reason(error)));
     document.getElementById('post').onclick = () => { show('posted', 'waits'); osapi.activities.create({ activity: { title: 'Hello' } }).then(() => show('posted', 'done'), (error) => show('posted', reason(error))); };
     document.getElementById('list').onclick = () => osapi.albums.get().then(({ list }) => show('albums', list.length), (error) => show('albums', reason(error)));`,
  ),
});

test.use({ apps: [stream], world });

test('a friend’s post elsewhere reaches an open page, a stranger’s does not', async ({ gadget, gantry }) => {
  await gantry.social.seed({ members: [{ id: 'wim', displayName: 'Wim Hob' }] });
  await gadget.mount();
  await expect(gadget.frame.locator('#friends')).toHaveText('1');
  await gantry.social.as('wim').post('unseen');
  await gantry.social.as('vic').post('Kettle is on');
  await expect(gadget.frame.locator('#titles')).toHaveText('Kettle is on');
  await gantry.social.as('uma').unfriend('vic');
  await expect(gadget.frame.locator('#friends')).toHaveText('0');
  expect(await gantry.social.as('uma').activities()).toEqual([]);
});

test.describe('an app that was not allowed anything yet', () => {
  test.use({ scenario: { permissions: 'none' } });

  test('is refused, allowed, and loses what is taken back', async ({ gadget, gantry }) => {
    await gadget.mount();
    await gantry.consent.refuse();
    await expect(gadget.element.locator('iframe')).toHaveCount(0); // control: it did not start
    await gantry.consent.allow();
    await expect(gadget.frame.locator('#who')).toHaveText('Uma Oven');
    await gadget.frame.getByRole('button', { name: 'Ask' }).click();
    await gantry.consent.allow();
    await expect(gadget.frame.locator('#posted')).toHaveText('true');
    await gantry.consent.withdraw('activities.post');
    await gadget.frame.getByRole('button', { name: 'Post' }).click();
    await expect(gadget.frame.locator('#posted')).toHaveText('NOT_GRANTED');
    await gantry.consent.withdraw('people');
    await expect(gadget.element.locator('iframe')).toHaveCount(0);
  });
});

test('a write waits while the network is away, and is made once when it is back', async ({ gadget, gantry }) => {
  await gadget.mount();
  const friend = await gantry.open('vic');
  await friend.mount();
  await gantry.network.of(friend).goOffline();
  await expect(friend.frame.locator('#line')).toHaveText('offline false');
  await gantry.network.offline(async () => {
    await expect(gadget.frame.locator('#line')).toHaveText('offline false');
    await gadget.frame.getByRole('button', { name: 'Post' }).click();
    await expect(gadget.frame.locator('#posted')).toHaveText('waits');
    expect(await gantry.social.as('uma').activities()).toEqual([]);
  });
  await expect(gadget.frame.locator('#posted')).toHaveText('done');
  await expect(gadget.frame.locator('#line')).toHaveText('online true');
  await expect(friend.frame.locator('#line')).toHaveText('offline false');
  expect(await gantry.social.as('uma').activities()).toMatchObject([{ title: 'Hello' }]);
});

test('settings of the site hold at once, and a member who signed out is no viewer any more', async ({
  gadget,
  gantry,
}) => {
  await gadget.mount();
  const list = gadget.frame.getByRole('button', { name: 'Albums' });
  await list.click();
  await expect(gadget.frame.locator('#albums')).toHaveText('0'); // control
  await gantry.site.settings({ albums: false, interval: 0 });
  for (const _ of [1, 2]) {
    await gadget.frame.getByRole('button', { name: 'Post' }).click();
    await expect(gadget.frame.locator('#posted')).toHaveText('done');
  }
  await gantry.site.signOut();
  await expect(gadget.frame.locator('#who')).not.toHaveText('Uma Oven');
  await gantry.site.signIn('vic');
  await expect(gadget.frame.locator('#who')).toHaveText('Vic Stove');
});
