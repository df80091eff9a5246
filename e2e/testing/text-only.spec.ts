import { expect, test } from '@gantry/testing';
import { writeGadget } from './written-app.ts';

const uses = ['people.get'];
const fields = ['aboutMe'];
/** A gadget that shows friends by a statement about `item` and `person`. */
const showing = (name: string, show: string) =>
  writeGadget(name, {
    ...{ uses, fields },
    body: '<h2>Friends</h2><p>Here is <b>bold</b></p><img alt=""><ul id="friends"></ul>',
    script: `osapi.people.getViewerFriends({ fields: ['aboutMe'], count: 100 }).then(({ list }) => { for (const person of list) {
      const item = document.createElement('li'); ${show}; document.getElementById('friends').append(item); } });`,
  });
const text = showing('text', 'item.textContent = person.displayName + " " + person.aboutMe');
const markup = showing('markup', 'item.innerHTML = person.displayName');
const cleaned = showing('cleaned', 'item.innerHTML = person.displayName.replace(/ on\\w+="[^"]*"/g, "")');
const within = showing(
  'within',
  'item.innerHTML = "<div></div>"; item.firstChild.attachShadow({ mode: "open" }).innerHTML = person.aboutMe ?? ""',
);
const silent = showing('silent', 'item.textContent = person.id');

test.use({ apps: [text, markup, cleaned, within, silent] });
const quick = expect.configure({ timeout: 300 });

test.describe('members with tags in their texts', () => {
  test.use({ world: 'hostile' });

  test('an app that writes texts passes, though its own page has elements like theirs', async ({ gadget }) => {
    await gadget.mount('text');
    await expect(gadget).toShowTextOnly();
    await expect(quick(gadget).not.toShowTextOnly()).rejects.toThrow(/\d+ texts with tags are shown as text/);
  });

  for (const [app, element] of [
    ['markup', '<b onmouseover='],
    ['cleaned', '<b>Bold</b>'],
    ['within', '<img src='],
  ] as const) {
    test(`texts that became markup are named: ${app}`, async ({ gadget }) => {
      await gadget.mount(app);
      await expect(gadget).not.toShowTextOnly();
      await expect(quick(gadget).toShowTextOnly()).rejects.toThrow('Texts became markup:');
      const message = await quick(gadget)
        .toShowTextOnly()
        .catch(({ message }: Error) => message.replaceAll('\\"', '"'));
      expect(message).toContain(element);
    });
  }

  test('texts that are not shown prove nothing', async ({ gadget }) => {
    await gadget.mount('silent');
    const none = /The app shows none of [1-9]\d* texts with tags that it received/;
    await expect(quick(gadget).toShowTextOnly()).rejects.toThrow(none);
    await expect(quick(gadget).not.toShowTextOnly()).rejects.toThrow(none);
  });
});

test('members without tags in their texts prove nothing', async ({ gadget }) => {
  await gadget.mount('text');
  await expect(quick(gadget).toShowTextOnly()).rejects.toThrow(
    "The app shows none of 0 texts with tags that it received: test.use({ world: 'hostile' }).",
  );
});
