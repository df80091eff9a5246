import type { Page } from '@playwright/test';
import { expect, frameOf, modes, test } from './hosted.ts';

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
const nosy = {
  'gadget.json': JSON.stringify({ name: 'Nosy', page: 'index.html', uses: ['people.get'] }),
  'index.html': `<!doctype html><html lang="en"><title>Nosy</title><p id="out"></p><p id="self"></p>
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
        self.textContent = displayName + ' ' + birthday;
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
const plain = {
  'gadget.json': JSON.stringify({ name: 'Plain', page: 'index.html' }),
  'index.html':
    '<!doctype html><html lang="en"><title>Plain</title><p id="out">Here</p><script src="/gantry/osapi.js"></script>',
};

test.use({ apps: { asks: birthdays, nosy, forger, plain, friends: birthdays }, asking: ['asks', 'plain'] });

const asks = (page: Page) => page.locator('gantry-gadget[app=asks]');
const allow = (page: Page) => asks(page).getByRole('button', { name: 'Allow', exact: true });
const gadget = '<gantry-gadget app="asks" heading></gantry-gadget>';

for (const mode of modes) {
  test.describe(mode, () => {
    test.use({ mode });

    test('an app asks in its place, once, and its frame is loaded when it may start', async ({ show }) => {
      const page = await show(gadget, { viewer: '1' });
      await expect(asks(page).getByText('Birthdays would like to')).toBeVisible();
      await expect(asks(page).getByRole('listitem')).toHaveText([
        'See your name and picture, and those of your friends',
        'See your birthday and those of your friends',
      ]);
      expect(page.frames()).toHaveLength(1);
      await allow(page).click();
      await expect(frameOf(page, 'asks').locator('#out')).toHaveText('1990/05/17');
      await page.reload();
      await expect(frameOf(page, 'asks').locator('#out')).toHaveText('1990/05/17');
      await expect(allow(page)).toHaveCount(0);
    });
  });
}
