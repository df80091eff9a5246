import { join } from 'node:path';
import type { Osapi } from '@gantry/osapi';
import { expect, test } from '@gantry/testing';

declare const osapi: Osapi;

const ids = ['friends', 'stream', 'notes', 'photos'];
// As the demo serves them: two are built.
const folderOf = (id: string) =>
  join(import.meta.dirname, '../demo', ['stream', 'photos'].includes(id) ? 'dist/apps' : 'apps', id);
test.use({ apps: ids.map(folderOf), world: 'friendly' });

test('a note is saved, and is there in another browser of the member', async ({ gadget, gantry }) => {
  await gadget.mount('notes');
  await gadget.frame.getByRole('button', { name: 'New note' }).click();
  await gadget.frame.getByRole('textbox', { name: 'Note' }).first().fill('Buy varnish for the boat');
  await expect(gadget.frame.getByText(/^Saved at/).first()).toBeVisible();
  const other = await gantry.open(gadget.viewer);
  await other.mount('notes');
  for (const { frame } of [gadget, other]) {
    await expect(frame.getByRole('textbox', { name: 'Note' }).first()).toHaveValue('Buy varnish for the boat');
  }
  await gadget.reload();
  await expect(gadget.frame.getByRole('textbox', { name: 'Note' }).first()).toHaveValue('Buy varnish for the boat');
});

test('a post appears, and the next one is held back with a countdown', async ({ gadget, gantry }) => {
  await gadget.mount('stream');
  const text = gadget.frame.getByRole('textbox', { name: 'What is new?' });
  const post = gadget.frame.getByRole('button', { name: /^Post/ });
  const list = gadget.frame.getByRole('list', { name: 'Activities' });
  await text.fill('The tide is unusually low today');
  await post.click();
  await expect(list.getByText('The tide is unusually low today')).toBeVisible();
  await expect(post).toHaveText(/^Post in \d+ s$/);
  await expect(post).toBeDisabled();
  // The service enforces the interval: a reloaded app does not know of the first post and posts too
  // soon.
  await gadget.reload();
  await expect(list.getByText('The tide is unusually low today')).toBeVisible();
  await text.fill('And another thing');
  await post.click();
  await expect(post).toHaveText(/^Post in \d+ s$/);
  await expect(post).toBeDisabled();
  await expect(text).toHaveValue('And another thing');
  await gantry.clock.jump('1 min');
  await expect(post).toHaveText('Post');
  await post.click();
  await expect(list.getByText('And another thing')).toBeVisible();
  await expect(gadget).toKeepWrites();
  const [latest] = await gantry.social.as(gadget.viewer).activities();
  expect(latest).toMatchObject({ title: 'And another thing' });
});

for (const app of ids) {
  test(`without a member, ${app} says so instead of failing`, async ({ gadget }) => {
    await gadget.mount(app, { persona: 'nobody' });
    await expect(gadget.frame.getByRole('status').first()).toContainText(/sign in/i);
  });
}

test('calls of one tick of a gadget are one message and one POST, the same call is asked once', async ({
  gadget,
  page,
}) => {
  await gadget.mount('friends');
  await gadget.settled();
  const before = gadget.calls.length;
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/gantry/calls')) posts.push(request.postData() ?? '');
  });
  const messages = await gadget.frame.locator('body').evaluate(async () => {
    let count = 0;
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      if (JSON.stringify(args[0]).includes('aboutMe')) count += 1; // heights and heartbeats cross there too
      return Reflect.apply(send, this, args);
    };
    const ids = ['m-5', 'm-6', 'm-7', 'm-8', 'm-8'];
    await Promise.all(ids.map((userId) => osapi.people.get({ userId, fields: ['aboutMe', 'birthday'] })));
    return count;
  });
  expect(messages).toBe(1);
  await gadget.settled();
  expect(gadget.calls.slice(before).map(({ decision }) => decision)).toEqual([
    ...['asked', 'asked', 'asked', 'asked'],
    'joined',
  ]);
  expect(posts).toHaveLength(1);
});

test('a gadget that reloads in the middle of a call comes back, and the call is settled', async ({
  gadget,
  gantry,
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await gadget.mount('friends');
  await gadget.settled();
  const held = gantry.calls.hold('people.get');
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/gantry/calls'));
  const body = gadget.frame.locator('body');
  await body.evaluate(() => osapi.people.get({ userId: 'm-9', fields: ['birthday'] }).execute(() => {}));
  await held.arrived;
  await body.evaluate(() => location.reload());
  await aborted; // no request remains
  await expect(gadget.frame.getByRole('listitem').first()).toBeVisible();
  await gadget.settled();
  expect(errors).toEqual([]);
});
