import type { Page } from '@playwright/test';
import { choose, press } from './choose.ts';
import { holdClock, releaseClock } from './focus-thief.ts';
import { drawnFrameOf, expect, frameOf, inEachMode, test } from './hosted.ts';
import { inspect } from './inspect.ts';

function plainPage(title: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><p>Here</p><script src="/gantry/osapi.js"></script>`;
}

const birthdays = {
  'gadget.json': JSON.stringify({
    name: 'Birthdays',
    page: 'index.html',
    uses: ['people.get'],
    fields: ['birthday'],
    optional: { uses: ['activities.create'] },
  }),
  'index.html': `<!doctype html><html lang="en"><title>Birthdays</title>
    <style>:root { color-scheme: light dark }</style>
    <p id="out"></p><button id="post">Send wishes</button><p id="posted"></p><p id="heard"></p>
    <script src="/gantry/osapi.js"></script>
    <script>
      osapi.people.getViewer({ fields: ['birthday'] }).execute((me) => { out.textContent = me.error?.data.reason ?? me.birthday; });
      const tell = async (work) => { try { posted.textContent = await work(); } catch (error) { posted.textContent = error.data.reason; } };
      post.onclick = () => tell(async () => {
        if (!(await gantry.permissions.request(['activities.post']))) return 'refused';
        await osapi.activities.create({ activity: { title: 'Happy birthday!' } });
        return 'posted, ' + (await gantry.permissions.has('activities.post'));
      });
      gantry.on('context', ({ permissions }) => { heard.textContent = permissions.join(' '); });
    </script>`,
};
const regatta = { ...birthdays, 'gadget.json': birthdays['gadget.json'].replace('Birthdays', 'Regatta') };
const calendar = { ...birthdays, 'gadget.json': birthdays['gadget.json'].replace('Birthdays', 'Calendar') };
const nosy = {
  'gadget.json': JSON.stringify({ name: 'Nosy', page: 'index.html', uses: ['people.get'] }),
  'index.html': `<!doctype html><html lang="en"><title>Nosy</title><p id="out"></p><p id="own"></p>
    <script src="/gantry/osapi.js"></script>
    <script>
      (async () => {
        const reasons = [];
        for (const ask of [() => osapi.people.getViewer({ fields: ['birthday'] }), () => osapi.appdata.get({ keys: 'a' }),
          () => gantry.permissions.request(['people.birthday']), () => gantry.permissions.request('people')]) {
          try { await ask(); reasons.push('answered'); } catch (error) { reasons.push(error.data.reason); }
        }
        out.textContent = reasons.join(' ');
        const { displayName, birthday } = await osapi.people.getViewer();
        own.textContent = displayName + ' ' + birthday;
      })();
    </script>`,
};
const forger = {
  'gadget.json': JSON.stringify({ name: 'Forger', page: 'index.html', uses: ['people.get'] }),
  'index.html': `<!doctype html><html lang="en"><title>Forger</title><p id="out">…</p>
    <script>
      const decided = { app: 'asks', viewer: '1', granted: ['people', 'people.birthday'], needed: [], optional: [] };
      for (const data of [{ decided }, { gantry: 'event', decided }, { gantry: 'hello', decided, nonce: 'x', version: 1 }]) parent.postMessage(data, '*');
      try { new BroadcastChannel('gantry /gantry/').postMessage({ decided }); } catch {}
      const container = new URLSearchParams(location.hash).toString().match(/https?[^&]*/)?.[0] ?? '';
      const url = (document.referrer || SITE) + '/gantry/grants';
      const body = JSON.stringify({ token: 'x', grant: ['people'] });
      const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1' };
      fetch(url, { method: 'POST', headers, body, credentials: 'include' }).then((r) => r.status, () => 'blocked').then((how) => { out.textContent = how; });
    </script>`.replace('SITE', "location.protocol + '//localhost:' + location.port"),
};
const gallery = {
  'gadget.json': JSON.stringify({
    name: 'Gallery',
    page: 'index.html',
    uses: ['people.get', 'albums.get', 'appdata.update'],
    hosts: ['https://images.example'],
  }),
  'index.html': plainPage('Gallery'),
};

test.use({
  apps: {
    asks: birthdays,
    'asks-too': calendar,
    'asks-third': regatta,
    'asks-twin': birthdays,
    gallery,
    nosy,
    forger,
  },
  asking: ['asks', 'asks-too', 'asks-third', 'asks-twin', 'gallery'],
});

const gadget = '<gantry-gadget app="asks" heading=""></gantry-gadget>';
const asks = (page: Page) => page.locator('gantry-gadget[app^=asks]');
const button = (page: Page, name: string) => asks(page).getByRole('button', { name, exact: true });
const output = (page: Page, id = 'out') => page.frameLocator('gantry-gadget[app^=asks] iframe').locator(`#${id}`);

/** Collects the page's POSTs to an address of the proxy. */
function posts(page: Page, path: string): string[] {
  const seen: string[] = [];
  page.on('request', (request) => request.url().endsWith(path) && seen.push(request.postData() ?? ''));
  return seen;
}

inEachMode(() => {
  test('an app that forges grants, by messages or at their address, changes nothing (security rules 3 and 10)', async ({
    show,
    hosted,
  }) => {
    const page = await show(`${gadget}<gantry-gadget app="forger"></gantry-gadget>`, { viewer: '3' });
    await expect(frameOf(page, 'forger').locator('#out')).toHaveText('blocked');
    await expect(button(page, 'Allow')).toBeVisible();
    // The same from a script of the page without a token: not blocked, but refused.
    const status = await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1' };
      const body = JSON.stringify({ token: 'x', grant: ['people'] });
      return (await fetch('/gantry/grants', { method: 'POST', headers, body })).status;
    });
    expect(status).toBe(401);
    await page.reload();
    await expect(button(page, 'Allow')).toBeVisible();
    expect(page.url()).toContain(hosted.url);
  });
});

test('apps of one name are listed with their ids', async ({ show }) => {
  const page = await show(`${gadget}<gantry-gadget app="asks-twin"></gantry-gadget>`, { viewer: '1' });
  for (const id of ['asks', 'asks-twin']) {
    const group = page.locator(`gantry-gadget[app=${id}] [part=consent]`);
    await expect(group).toHaveAccessibleName(new RegExp(`Birthdays\\W+\\(${id}\\)\\W* waits for your permission`));
  }
});

const three = ['asks-twin', 'gallery', 'asks-third']
  .map((app) => `<gantry-gadget app="${app}"></gantry-gadget>`)
  .join('');
const card = (page: Page, app: string) => page.locator(`gantry-gadget[app=${app}] [part=consent]`);
const review = (page: Page, app: string) => card(page, app).getByRole('button', { name: 'Review' });
const question = (page: Page) => page.getByRole('dialog', { name: /^\W*3\W* apps ask for your permission$/ });
const lineOf = (page: Page, name: string) => question(page).getByRole('group', { name });
const granted = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).grant);

test('several apps of a page ask in one question, and each is allowed or refused alone', async ({ show }) => {
  const page = await show(`${three}<gantry-gadget app="asks-twin"></gantry-gadget>`, { viewer: '4' });
  const grants = posts(page, '/gantry/grants');
  await expect(page.getByText('waits for your permission')).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0);
  await press(review(page, 'gallery'));
  await expect(question(page).getByRole('group')).toHaveText([/^\W*Gallery/, /^\W*Birthdays/, /^\W*Regatta/]);
  await expect(lineOf(page, 'Birthdays').getByRole('listitem')).toHaveText([
    'See your name and picture, and those of your friends',
    'See your birthday and those of your friends',
  ]);
  await expect(question(page).getByRole('button', { name: 'Not now: Gallery' })).toBeFocused();

  // By keyboard alone, in the order of reading.
  await expect(question(page).getByRole('button', { name: 'Allow all' })).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Enter');
  await expect(lineOf(page, 'Gallery').getByRole('status')).toHaveText('Not now');
  await expect(question(page).getByRole('button', { name: 'Not now: Birthdays' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(lineOf(page, 'Birthdays').getByRole('status')).toHaveText('Allowed');
  await expect(frameOf(page, 'asks-twin').first().locator('#out')).toHaveText('1990/05/17');
  await expect(question(page).getByRole('button', { name: 'Not now: Regatta' })).toBeFocused();
  await press(question(page).getByRole('button', { name: 'Allow all' }));
  await expect(frameOf(page, 'asks-third').locator('#out')).toHaveText('1990/05/17');
  const birthday = ['people', 'people.birthday'];
  expect(granted(grants)).toEqual([birthday, birthday]);
  await expect(card(page, 'gallery')).toHaveAccessibleName('Gallery waits for your permission');
  await press(review(page, 'gallery'));
  await expect(card(page, 'gallery').getByRole('button', { name: 'Allow' })).toBeVisible();
});

test('a question about several apps takes no press just after it appeared, scrolled or came back (security rule 26)', async ({
  show,
}) => {
  const page = await show(three, { viewer: '3' });
  await page.setViewportSize({ width: 360, height: 480 });
  const grants = posts(page, '/gantry/grants');
  await expect(review(page, 'gallery')).toHaveAttribute('aria-disabled', 'false');
  await holdClock(page); // a slow machine lets no half second pass before the first look
  await review(page, 'gallery').click();
  const all = question(page).getByRole('button', { name: 'Allow all' });
  const allowGallery = question(page).getByRole('button', { name: 'Allow: Gallery' });
  const clickAfter = (what: 'nothing' | 'scroll' | 'focus') =>
    all.evaluate(async (element, cause) => {
      const dialog = element.closest('dialog') as HTMLDialogElement;
      if (cause === 'scroll') {
        const content = dialog.querySelector('.content') as HTMLElement;
        content.scrollTop = content.scrollTop > 0 ? 0 : 60;
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
      }
      if (cause === 'focus') window.dispatchEvent(new Event('focus'));
      const buttons = [...dialog.querySelectorAll('button')];
      for (const button of buttons)
        button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
      for (const button of buttons) button.click();
      return buttons.map((button) => button.ariaDisabled).join(' ');
    }, what);
  const held = Array(8).fill('true').join(' ');
  await expect(allowGallery).toBeVisible();
  expect(await clickAfter('nothing')).toBe(held);
  await releaseClock(page);
  for (const what of ['scroll', 'focus'] as const) {
    await expect(all).toHaveAttribute('aria-disabled', 'false');
    expect(await clickAfter(what), what).toBe(held);
  }
  await expect(question(page)).toBeVisible();
  expect(grants).toEqual([]);
  // The buttons for all stay in view, and allow nothing before the last line was shown.
  await expect(all).toBeInViewport({ ratio: 1 });
  await press(all);
  await expect(all).toHaveAttribute('aria-disabled', 'true');
  await expect(question(page)).toBeVisible();
  expect(grants).toEqual([]);
  await allowGallery.focus(); // scrolls
  await press(allowGallery); // control
  await expect(lineOf(page, 'Gallery').getByRole('status')).toHaveText('Allowed');
  expect(granted(grants)).toEqual([['people', 'appdata.write', 'albums', 'host:https://images.example']]);
  await expect(async () => {
    await press(all);
    await expect(question(page)).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect.poll(() => grants.length).toBe(3);
});

test('a later app is not added to an open question, and a removed app gets no permission', async ({ show }) => {
  const page = await show(`${three}<main></main>`, { viewer: '2' });
  const grants = posts(page, '/gantry/grants');
  await press(review(page, 'gallery'));
  await page.evaluate(() => {
    document.querySelector('gantry-gadget[app=gallery]')?.remove();
    document.querySelector('main')?.append(Object.assign(document.createElement('gantry-gadget'), { app: 'asks-too' }));
  });
  await expect(card(page, 'asks-too')).toBeVisible();
  await expect(lineOf(page, 'Gallery')).toHaveCount(0);
  await press(question(page).getByRole('button', { name: 'Allow all' }));
  await expect(frameOf(page, 'asks-twin').locator('#out')).toHaveText('1990/05/17');
  await expect(frameOf(page, 'asks-third').locator('#out')).toHaveText('1990/05/17');
  await expect(card(page, 'asks-too')).toBeVisible();
  expect(grants).toHaveLength(2);
});

test('an app asks in its place, once, and its frame is loaded when it may start', async ({ show }) => {
  const page = await show(gadget, { viewer: '1' });
  await expect(asks(page).getByText('Birthdays would like to')).toBeVisible();
  await expect(asks(page).getByRole('listitem')).toHaveText([
    'See your name and picture, and those of your friends',
    'See your birthday and those of your friends',
  ]);
  expect(page.frames()).toHaveLength(1);
  await choose(asks(page), 'Allow');
  await expect(output(page)).toHaveText('1990/05/17');
  await page.reload();
  await expect(output(page)).toHaveText('1990/05/17');
  await expect(button(page, 'Allow')).toHaveCount(0);
});

test('an app asks for an optional permission on use, and gets the result', async ({ show }) => {
  const page = await show(gadget, { viewer: '2' });
  await choose(asks(page), 'Allow');
  await (await drawnFrameOf(page, 'asks')).getByRole('button', { name: 'Send wishes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Birthdays would like to' });
  await expect(dialog.getByRole('listitem')).toHaveText('Post to your stream in your name');
  await choose(dialog, 'Allow');
  await expect(output(page, 'posted')).toHaveText('posted, true');
  await expect(output(page, 'heard')).toHaveText('people people.birthday activities.post');
});

test('an app gets only declared permissions, whatever it asks for', async ({ show }) => {
  const page = await show('<gantry-gadget app="nosy"></gantry-gadget>');
  const nosy = frameOf(page, 'nosy');
  await expect(nosy.locator('#out')).toHaveText('NOT_GRANTED NOT_GRANTED BAD_REQUEST BAD_REQUEST');
  await expect(nosy.locator('#own')).toHaveText('Ann Oyster undefined'); // control: declared fields arrive
});

test('not now is no decision: the app waits, in this tab, until its member wants it', async ({ show }) => {
  const page = await show(gadget, { viewer: '3' });
  await choose(asks(page), 'Not now');
  await expect(asks(page).getByText('Birthdays waits for your permission')).toBeVisible();
  await expect(button(page, 'Review')).toBeFocused();
  await page.reload();
  await button(page, 'Review').click();
  await expect(button(page, 'Allow')).toBeVisible();
});

test('a question takes no input for half a second after it appeared, moved or came back (security rule 7)', async ({
  show,
}) => {
  const page = await show(gadget, { viewer: '3' });
  const grants = posts(page, '/gantry/grants');
  const allow = button(page, 'Allow');
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  const clickAfter = (what: 'focus' | 'move' | 'nothing') =>
    allow.evaluate((element, cause) => {
      if (cause === 'focus') window.dispatchEvent(new Event('focus'));
      if (cause === 'move')
        document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 90px' }));
      element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
      (element as HTMLElement).click();
      return element.ariaDisabled;
    }, what);
  expect(await clickAfter('focus')).toBe('true');
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  expect(await clickAfter('move')).toBe('true');
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  expect(grants).toEqual([]);
  await clickAfter('nothing'); // control: an undisturbed click counts
  await expect(output(page)).toHaveText('1990/05/17');
  expect(grants).toHaveLength(1);
});

test('a refused permission is not asked for again while the tab is open', async ({ show }) => {
  const page = await show(gadget, { viewer: '4' });
  await choose(asks(page), 'Allow');
  const send = (await drawnFrameOf(page, 'asks')).getByRole('button', { name: 'Send wishes' });
  await send.click();
  await choose(page.getByRole('dialog'), 'Not now');
  await expect(output(page, 'posted')).toHaveText('refused');
  await send.click();
  await expect(output(page, 'posted')).toHaveText('refused');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a permission revoked in one tab is gone in the others at once, with its cached data', async ({
  show,
  context,
  hosted,
}) => {
  const page = await show('<gantry-gadget app="asks-too" heading=""></gantry-gadget>');
  await choose(asks(page), 'Allow');
  await expect(output(page)).toHaveText('1990/05/17');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(output(other)).toHaveText('1990/05/17');
  await asks(page).getByRole('button', { name: 'Options for Calendar' }).click();
  await asks(page).getByRole('button', { name: 'Permissions…' }).click();
  const dialog = page.getByRole('dialog', { name: 'What Calendar may do' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('checkbox', { name: 'Post to your stream in your name' })).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Take all of it back' }).click();
  for (const tab of [page, other]) {
    await expect(button(tab, 'Allow')).toBeVisible();
    await expect(asks(tab).locator('iframe')).toHaveCount(0);
  }
  const calls = posts(page, '/gantry/calls');
  await choose(asks(page), 'Allow');
  await expect(output(other)).toHaveText('1990/05/17');
  await expect(output(page)).toHaveText('1990/05/17');
  expect(calls.length).toBeGreaterThan(0); // nothing was cached

  await page.goto(`${hosted.url}/account/apps`);
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Calendar' }) })
    .first();
  await expect(row.getByText(/^Runs on pages of Tern Quay · since \w+ \d+, \d{4}$/)).toBeVisible();
  await expect(row.getByText('See your birthday and those of your friends')).toBeVisible();
  await row.getByText('Take back: Calendar').click();
  await press(row.getByRole('button', { name: 'Take back now' }));
  await expect(page.getByText('Access was taken back')).toBeVisible();
  await other.reload();
  await expect(button(other, 'Allow')).toBeVisible();
});

test('a permission revoked in one browser is asked for again in the others without a reload, and the app starts in all when it is allowed', async ({
  show,
  browser,
  hosted,
}) => {
  const calendarGadget = '<gantry-gadget app="asks-too" heading=""></gantry-gadget>';
  const page = await show(calendarGadget, { viewer: '2' });
  await choose(asks(page), 'Allow');
  await expect(output(page)).toHaveText('1990/05/17');
  const context = await browser.newContext();
  await context.addCookies([{ name: 'viewer', value: '2', url: hosted.url }]);
  const elsewhere = await context.newPage();
  const heard = elsewhere.waitForResponse((response) => response.url().endsWith('/gantry/events'));
  await elsewhere.goto(page.url());
  await expect(output(elsewhere)).toHaveText('1990/05/17');
  await heard;
  await page.goto(`${hosted.url}/account/apps`);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Calendar' }) });
  await row.getByText('Take back: Calendar').click();
  await press(row.getByRole('button', { name: 'Take back now' }));
  await expect(button(elsewhere, 'Allow')).toBeVisible();
  await expect(asks(elsewhere).locator('iframe')).toHaveCount(0);
  await show(calendarGadget, { viewer: '2' });
  await choose(asks(page), 'Allow');
  await expect(output(page)).toHaveText('1990/05/17');
  await expect(output(elsewhere)).toHaveText('1990/05/17');
  await context.close();
});

for (const { language, asks, loads, allow } of [
  { language: 'de', asks: 'Gallery möchte', loads: 'Bilder und Skripte von images.example laden', allow: 'Erlauben' },
  { language: 'fr', asks: 'Gallery souhaite', loads: 'scripts depuis images.example', allow: 'Autoriser' },
]) {
  test(`the question is readable in its place's language, ${language}, small and dark, and accessible`, async ({
    show,
    page,
  }) => {
    await show(
      `<main lang="${language}" style="background: Canvas"><h1>Start</h1><gantry-gadget app="gallery"></gantry-gadget></main>`,
    );
    const card = page.locator('gantry-gadget');
    await expect(card.getByRole('group', { name: asks })).toBeVisible();
    await expect(card.getByText(loads)).toBeVisible();
    await expect(card.getByRole('button', { name: allow })).toHaveAttribute('aria-disabled', 'false');
    await inspect(page, `consent card in ${language}`);
    await page.locator('main').evaluate((main) => {
      main.append(Object.assign(document.createElement('gantry-gadget'), { app: 'asks-twin' }));
    });
    await expect(card.last().getByRole('button')).toBeVisible();
    await press(card.first().getByRole('button'));
    await expect(page.getByRole('dialog').getByRole('group')).toHaveCount(2);
    await inspect(page, `question about two apps in ${language}`);
    await expect(page.getByRole('dialog').getByRole('button').last()).toHaveAttribute('aria-disabled', 'false');
    // Again while it takes no press, because it moved (security rule 7).
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
    await expect(card.first().getByRole('button')).toBeFocused();
  });
}
