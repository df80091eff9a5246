import { expect, test } from '@gantry/testing';
import { writeGadget, writeWorld } from './written-app.ts';

const notes = writeGadget('toString', {
  uses: ['people.get', 'activities.create', 'activities.get', 'appdata.get', 'appdata.update'],
  fields: ['birthday'],
  body: `<h2>Notes</h2><p id="out">Nothing yet</p><button id="post">Post</button> <button id="save">Save</button>
    <button id="friends">Friends</button> <button id="grow">Grow</button>`,
  script: `const out = document.getElementById('out');
    const on = (id, run) => document.getElementById(id).addEventListener('click', () => run().then(
      (value) => { out.textContent = id + ' done ' + JSON.stringify(value).slice(0, 200); },
      (error) => { out.textContent = id + ' failed ' + error.code; }));
    on('post', () => osapi.activities.create({ activity: { title: 'I won' } }, { write: { queue: true } }));
    on('save', () => osapi.appdata.update({ data: { score: 12 } }));
    on('friends', () => osapi.people.getViewerFriends({ fields: ['birthday'] }));
    on('grow', async () => { document.body.style.paddingBottom = '4rem'; await gadgets.window.adjustHeight(); });`,
  style: 'button:focus-visible { outline: 2px solid; }',
});
const open = writeGadget('open', {
  body: `<h2>Open</h2><a href="#x">First</a> <div id="host"></div>
    <label><input type="radio" name="a" checked> One</label> <label><input type="radio" name="a"> Two</label>
    <label class="box"><input type="checkbox" id="tick"><span>Tick</span></label>
    <div role="toolbar" aria-label="Tools"><button>Cut</button> <button tabindex="-1">Copy</button></div>
    <div inert><button>Inert</button></div> <button disabled>Off</button> <button hidden>Gone</button>`,
  script: `document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>Within</button>';`,
  style: '.box input { opacity: 0; position: absolute } .box input:focus-visible + span { box-shadow: 0 0 0 2px }',
});
// Its thread works after each result, for more frames of the page than a wait for quiet has.
const chained = writeGadget('chained', {
  uses: ['people.get', 'appdata.get'],
  body: '<h2>Chained</h2>',
  script: `const work = () => { for (const startMs = performance.now(); performance.now() - startMs < 400; ); };
    (async () => {
      work();
      await osapi.people.getViewer();
      work();
      await osapi.people.getViewerFriends();
      setTimeout(() => { work(); osapi.appdata.get({ keys: ['a'] }).execute(() => {}); });
    })();`,
});
const bad = writeGadget('bad', {
  body: `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="20" height="20">
    <h2>Bad</h2><button id="later" tabindex="2">Second</button> <button id="sooner" tabindex="1">First</button>
    <button id="blind">Blind</button> <span id="click" role="button">Click</span> <button id="never" tabindex="-1">Never</button>
    <div id="mover">moves</div>`,
  script: `let up = 0;
    const move = () => { up += 1; document.getElementById('mover').style.marginTop = (up * 10) % 80 + 'px'; requestAnimationFrame(move); };
    requestAnimationFrame(move);
    alert('hello');
    const picture = new Image(); picture.src = 'https://pictures.example/1.png';
    osapi.people.getViewer().then(() => {}, () => {});`,
  style: '#blind { outline: none }',
});
const trap = writeGadget('trap', {
  body: '<h2>Trap</h2><button id="in">In</button> <button>Out</button>',
  script: `document.getElementById('in').addEventListener('keydown', (event) => { if (event.key === 'Tab') event.preventDefault(); });`,
});
const slow = writeGadget('slow', {
  body: '<h2>Slow</h2><input aria-label="Name"> <button>Save</button>',
  style: `input, button { outline: none; transition: box-shadow .1s .9s }
    input:focus-visible, button:focus-visible { box-shadow: 0 0 0 2px }`,
});
// Its thread is busy in stretches, so that the focus arrives in its document late.
const busy = writeGadget('busy', {
  body: '<h2>Busy</h2><button>One</button>',
  script: `const work = () => {
      for (const startMs = performance.now(); performance.now() - startMs < 60; );
      setTimeout(work, 10);
    };
    addEventListener('gantry-test-work', work, { once: true });`,
});

test.use({ apps: [notes, open, chained, bad, trap, slow, busy], world: writeWorld(), scenario: { interval: 0 } });
const quick = expect.configure({ timeout: 300 });

async function messageOf(failing: Promise<void>): Promise<string> {
  const error: unknown = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('The matcher passed.');
  return error.message;
}

test('a test holds and answers calls, and matchers check calls, results and writes', async ({ gadget, gantry }) => {
  await gadget.mount('toString');
  const button = (name: string) => gadget.frame.getByRole('button', { name, exact: true });
  const friends = gantry.calls.hold('people.getFriends');
  await button('Friends').click();
  expect(await friends.arrived).toMatchObject({ operation: 'people.get', viewer: 'eva', app: 'toString' });
  await expect(gadget).toHaveCalledOnce('people.get', { userId: '@viewer', groupId: '@friends' });
  await expect(gadget).not.toHaveReceived('birthday');
  friends.answer({
    list: [{ id: 'gil', displayName: 'Gil', birthday: '1970/01/01' }],
    startIndex: 0,
    totalResults: 1,
    itemsPerPage: 20,
  });
  await expect(gadget.frame.getByText('Gil')).toBeVisible();
  await expect(gadget).toHaveReceived('birthday', '1970/01/01');
  await expect(gadget).not.toHaveReceived('birthday', '1984/02/29');
  expect(await messageOf(quick(gadget).not.toHaveReceived('birthday'))).toContain('ok.list[0].birthday = "1970/01/01"');
  expect(await messageOf(quick(gadget).toHaveCalled('people.get', { groupId: '@self' }))).toContain(
    '+ groupId: "@friends"',
  );

  gantry.calls.once('activities.create', (call) => call.fail(507));
  await button('Post').click();
  await expect(gadget.frame.getByText('post failed')).toBeVisible();
  await expect(gadget).toKeepWrites();
  await expect(gadget).toHaveNoRefusals();
});

test('a lost reply with the outbox posts once; a write that the site does not hold is named (ADR 0021)', async ({
  gadget,
  gantry,
}) => {
  await gadget.mount('toString');
  const button = (name: string) => gadget.frame.getByRole('button', { name, exact: true });
  gantry.faults.once('activities.create').dropReply();
  await button('Post').click();
  await expect(gadget.frame.getByText('post done')).toBeVisible();
  await expect(gadget).toKeepWrites();
  gantry.calls.once('appdata.update', (call) => call.answer({}));
  await button('Save').click();
  await expect(gadget.frame.getByText('save done')).toBeVisible();
  expect(await messageOf(quick(gadget).toKeepWrites())).toMatch(
    /lost: #\d+ appdata\.update "score": the app was told that it saved "12", and the site has no such key\./,
  );
  await quick(gadget).not.toKeepWrites();
});

test('a gadget is settled when its app has made the call that follows a result, however busy it is', async ({
  gadget,
}) => {
  await gadget.mount('chained');
  await gadget.settled();
  expect(gadget.calls.map(({ operation, isSettled }) => [operation, isSettled])).toEqual([
    ['people.get', true],
    ['people.get', true],
    ['appdata.get', true],
  ]);
});

test('a gadget that stays in place, can be used by keyboard, and is accessible', async ({ gadget }) => {
  await gadget.mount('open');
  await expect(gadget).toStayInPlace({ frames: 10 });
  await expect(gadget).toBeWalkableByKeyboard();
  await expect(gadget).toBeAccessible();
  await expect(gadget).toHaveNoRefusals();
});

test('a gadget that moves, hides its focus, jumps, and has pictures without a text fails each of them', async ({
  gadget,
}) => {
  await gadget.mount('bad');
  const moved = await messageOf(quick(gadget).toStayInPlace({ frames: 10 }));
  expect(moved).toMatch(/The gadget moved within|layout shift/);
  const walked = await messageOf(quick(gadget).toBeWalkableByKeyboard());
  expect(walked).toContain('The gadget cannot be used by keyboard alone:');
  expect(walked).toContain('Tab does not reach <span id="click"> “Click”.');
  expect(walked).toContain('Tab does not reach <button id="never"> “Never”.');
  expect(walked).toContain('The focus cannot be seen on <button id="blind"> “Blind”');
  expect(walked).toContain(
    'Tab jumps from <button id="sooner"> “First” to <button id="later"> “Second”, against the order',
  );
  const message = await messageOf(quick(gadget).toBeAccessible());
  expect(message).toContain('image-alt: ');
  expect(message).toContain('https://dequeuniversity.com/rules/axe/');
  expect(message).toContain('iframe › img');
  await quick(gadget).not.toBeAccessible();
  const refused = await messageOf(quick(gadget).toHaveNoRefusals());
  expect(refused).toContain('alert');
  expect(refused).toContain('"hosts": ["https://pictures.example"]');
  expect(refused).toContain('"uses": ["people.get"]');
});

test('a focus that a transition shows is seen, also of a field that has it when the walk begins', async ({
  gadget,
}) => {
  await gadget.mount('slow');
  const name = gadget.frame.getByRole('textbox', { name: 'Name' });
  await name.fill('Ada');
  await expect(name).not.toHaveCSS('box-shadow', 'none'); // control: it looks focused now
  await expect(gadget).toBeWalkableByKeyboard();
});

test('the focus that is on its way into a busy app is not lost', async ({ gadget }) => {
  await gadget.mount('busy');
  const [app] = gadget.page.frames().slice(1);
  await app?.evaluate(() => void dispatchEvent(new Event('gantry-test-work')));
  // Control: after the key nothing has the focus, and a walk that reads it then calls it lost.
  await expect(async () => {
    await gadget.element.getByRole('button', { name: 'Skip busy' }).focus();
    await gadget.page.keyboard.press('Tab');
    expect(await gadget.page.evaluate(() => document.activeElement === document.body)).toBe(true);
  }).toPass();
  await expect(gadget).toBeWalkableByKeyboard();
});

test('a control that keeps the Tab key is a trap', async ({ gadget }) => {
  await gadget.mount('trap');
  const walked = await messageOf(quick(gadget).toBeWalkableByKeyboard());
  expect(walked).toContain('Tab does not leave <button id="in"> “In”.');
  expect(walked).toContain('Tab does not reach <button> “Out”.');
});

test('a frame in which a script does not end is a failure of its own', async ({ gadget }) => {
  await gadget.mount('open');
  await gadget.settled();
  const [app] = gadget.page.frames().slice(1);
  await app?.evaluate(
    () =>
      void setTimeout(() => {
        for (;;);
      }),
  );
  expect(await messageOf(quick(gadget).toBeAccessible())).toContain('does not answer');
});

test.fail('a call that a handler does not decide about fails its test', async ({ gadget, gantry }) => {
  gantry.calls.route('people.get', () => {});
  await gadget.mount('toString');
  await gadget.frame.getByRole('button', { name: 'Friends' }).click();
  await expect.poll(() => gantry.calls.waiting.length).toBe(1);
});
