import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@gantry/store';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, frameOf, type Hosted, isDrawn, test } from './hosted.ts';
import { stored } from './stored.ts';

// Faults of a browser: its storage is denied, hangs, is full, deleted or corrupt; pages freeze and
// come back. No write is lost, and the member reads below the app how many wait, and if the page
// must stay open for them (ADR 21).

// Saves under the next number, and lists the states of its writes.
const notes = `<!doctype html><html lang="en"><title>Notes</title><button id="save">Save</button><p id="known"></p><p id="refused"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    let count = 0;
    const states = new Map();
    const learn = ({ id, state }) => {
      states.set(id, state);
      count = Math.max(count, states.size); // writes of an earlier page may come late
      known.textContent = [...states.values()].join(', ');
    };
    gantry.on('write', learn);
    osapi.ready.then(({ writes }) => {
      writes.forEach(learn);
      document.body.dataset.ready = '1';
    });
    save.onclick = () => {
      count += 1;
      const data = { last: String(count), ['n' + count]: 'kept' };
      osapi.appdata.update({ data }, { write: { id: 'save-' + count } }).execute(({ error }) => { refused.textContent = error ? error.data.reason : ''; });
    };
  </script>`;

test.use({
  apps: { notes: { 'index.html': notes } },
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});
test.beforeEach(async ({ hosted }) => {
  await hosted.stores.db.batch([sql`delete from app_data`, sql`delete from write_log`]);
});

const gadget = `<gantry-gadget app="notes" loading="eager" budgets='{"responseMs": 900000}'></gantry-gadget>`; // a minute goes by at once
const line = (page: Page) => page.locator('gantry-gadget [part="outbox"] [aria-hidden]');
const known = (page: Page) => frameOf(page, 'notes').locator('#known');
const leaveOpen = ' – leave this page open: this browser cannot keep them';

/** Opens the gadget, and waits until the page has all that it needs without a network. */
async function open(page: Page, { url }: Hosted): Promise<void> {
  await page.context().addCookies([{ name: 'viewer', value: '1', url }]);
  const outbox = page.waitForResponse('**/chunks/open-outbox-*');
  await page.goto(`${url}/?${new URLSearchParams({ body: gadget })}`);
  await outbox;
  await expect(frameOf(page, 'notes').locator('body[data-ready]')).toBeAttached();
  await isDrawn(page.locator('gantry-gadget'));
}

async function press(page: Page, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await frameOf(page, 'notes').locator('#save').click();
}

/** Lets no call reach the site until the returned function is called. */
async function cutOff(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route('**/gantry/calls', (route) => route.abort());
  return () => context.unroute('**/gantry/calls');
}

/** Opens a page of the site without gadgets. */
async function openElsewhere(context: BrowserContext, { url }: Hosted): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/?body=Elsewhere`);
  return page;
}

/** Counts the writes that the browser keeps. */
const kept = async (page: Page) => (await stored(page))['gantry-outbox/writes']?.length ?? 0;

/** AppData of the member, with the last write and the names of all. */
async function written({ stores }: Hosted): Promise<{ last: string | undefined; names: string[] }> {
  const rows = await stores.db.query<{ key: string; value: string }>(sql`select key, value from app_data`);
  const names = rows.map(({ key }) => key).filter((key) => key !== 'last');
  return { last: rows.find(({ key }) => key === 'last')?.value, names: names.sort() };
}

type Fault = 'deletes' | 'upgrades' | 'clears';

/** Does to a database what another page or the member may do. Returns `done` or `blocked`. */
async function harm(page: Page, fault: Fault, name: string): Promise<string> {
  if (fault === 'clears') {
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'indexeddb' });
    return 'done';
  }
  return page.evaluate(
    ([fault, name]) =>
      new Promise<string>((resolve) => {
        const request = fault === 'deletes' ? indexedDB.deleteDatabase(name) : indexedDB.open(name, 2);
        request.onblocked = () => resolve('blocked');
        request.onsuccess = () => {
          if (fault === 'upgrades') (request.result as IDBDatabase).close();
          resolve('done');
        };
      }),
    [fault, name] as const,
  );
}

/** Opens a database as a page does that gives way to no other. */
async function holdDatabase(page: Page, name: string, withStore = true): Promise<void> {
  await page.evaluate(
    ([name, withStore]) =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open(name);
        request.onupgradeneeded = () => void (withStore && request.result.createObjectStore('writes'));
        request.onsuccess = () => {
          Object.assign(globalThis, { held: request.result });
          resolve();
        };
      }),
    [name, withStore] as const,
  );
}

/** Makes changes without a network, and waits until the page says that they wait. */
async function leaveWaiting(
  { page, context, hosted }: { readonly page: Page; readonly context: BrowserContext; readonly hosted: Hosted },
  changes: 1 | 2,
  remark = '',
): Promise<() => Promise<void>> {
  await open(page, hosted);
  const restore = await cutOff(context);
  await press(page, changes);
  const wait = changes === 1 ? '1 change waits' : '2 changes wait';
  await expect(line(page)).toHaveText(`${wait} for a connection${remark}`);
  return restore;
}

for (const fault of ['deletes', 'upgrades', 'clears'] as const) {
  test(`writes that wait outlive the page though another one ${fault} their database meanwhile`, async ({
    page,
    context,
    hosted,
  }) => {
    const restore = await leaveWaiting({ page, context, hosted }, 2);
    const other = await openElsewhere(context, hosted);
    expect(await harm(other, fault, 'gantry-outbox')).toBe('done');
    await expect.poll(() => kept(other)).toBe(2);
    await press(page, 1);
    await expect(line(page)).toHaveText('3 changes wait for a connection');
    await page.close();
    await restore();
    const next = await context.newPage();
    await open(next, hosted);
    await expect(known(next)).toHaveText('done, done, done');
    expect(await written(hosted)).toEqual({ last: '3', names: ['n1', 'n2', 'n3'] });
  });
}

test('positive control: a page that gives way to no other blocks all that come later', async ({ context, hosted }) => {
  const [page, other] = [await openElsewhere(context, hosted), await openElsewhere(context, hosted)];
  for (const fault of ['deletes', 'upgrades'] as const) {
    await holdDatabase(page, fault);
    expect(await harm(other, fault, fault)).toBe('blocked');
  }
});

test('where storage is denied, the member reads that the page must stay open, and is asked before it closes', async ({
  page,
  context,
  hosted,
}) => {
  await page.addInitScript(() => {
    const deny = () => {
      throw new DOMException('Denied.', 'SecurityError');
    };
    IDBFactory.prototype.open = deny;
    LockManager.prototype.request = deny;
    for (const name of ['localStorage', 'sessionStorage', 'BroadcastChannel'])
      Object.defineProperty(window, name, { get: deny });
  });
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  const restore = await leaveWaiting({ page, context, hosted }, 2, leaveOpen);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await restore();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(known(page)).toHaveText('done, done');
  await expect(line(page)).toHaveCount(0);
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed; // without a question: nothing would be lost
  expect(asked).toHaveLength(1);
  expect(await written(hosted)).toEqual({ last: '2', names: ['n1', 'n2'] });
});

test('while storage hangs, the member reads that the page must stay open; once it responds, the writes are kept', async ({
  page,
  context,
  hosted,
}) => {
  const holder = await openElsewhere(context, hosted);
  await holdDatabase(holder, 'gantry-outbox');
  expect(await harm(holder, 'deletes', 'gantry-outbox')).toBe('blocked'); // and each later `open` with it
  const restore = await leaveWaiting({ page, context, hosted }, 2, leaveOpen);
  await holder.close();
  await expect(line(page)).toHaveText('2 changes wait for a connection');
  await page.close();
  await restore();
  const next = await context.newPage();
  await open(next, hosted);
  await expect(known(next)).toHaveText('done, done');
});

for (const { quota, how, says } of [
  { quota: 1_000_000, how: 'by results gives them up for writes', says: '' },
  { quota: 1, how: 'by others is said to the member', says: leaveOpen },
]) {
  test(`a storage that is full ${how}`, async ({ page, context, hosted }) => {
    await page.goto(`${hosted.url}/?body=Elsewhere`);
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: hosted.url, quotaSize: quota });
    await open(page, hosted);
    await cutOff(context);
    const filled = await page.evaluate(async () => {
      const answer = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => {
          request.onsuccess = () => resolve(request.result);
        });
      const database = await answer(indexedDB.open('gantry'));
      let errors = 0;
      for (let bytes = 60_000; bytes > 10; ) {
        const filling = database.transaction('results', 'readwrite');
        filling.objectStore('results').put(crypto.getRandomValues(new Uint8Array(bytes)), `result ${Math.random()}`);
        const isFull = await new Promise((resolve) => {
          filling.oncomplete = () => resolve(false);
          filling.onabort = () => resolve(filling.error?.name === 'QuotaExceededError');
        });
        if (isFull) errors += 1;
        if (isFull) bytes = Math.floor(bytes / 2);
      }
      database.close();
      return errors;
    });
    expect(filled).toBeGreaterThan(10); // control: nothing more can be stored
    await press(page, 2);
    await expect(line(page)).toHaveText(`2 changes wait for a connection${says}`);
    expect(await kept(page)).toBe(says ? 0 : 2);
  });
}

test('a database of that name without a store, and stored nonsense, lose no write', async ({
  page,
  context,
  hosted,
}) => {
  const other = await openElsewhere(context, hosted);
  await holdDatabase(other, 'gantry-outbox', false);
  await other.close();
  const restore = await leaveWaiting({ page, context, hosted }, 1);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('gantry-outbox');
        request.onsuccess = () => {
          const storing = request.result.transaction('writes', 'readwrite');
          const nonsense = [null, 'text', {}, { key: '1', scope: {}, request: {} }];
          for (const [index, entry] of nonsense.entries()) storing.objectStore('writes').put(entry, `0${index}`);
          storing.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
  );
  expect(await kept(page)).toBe(5);
  await page.close();
  await restore();
  const next = await context.newPage();
  await next.addInitScript(() => {
    IDBObjectStore.prototype.getAll = () => {
      throw new DOMException('Failed to read large IndexedDB value.', 'DataError'); // one is enough
    };
  });
  await open(next, hosted);
  await expect(known(next)).toHaveText('done');
});

test('of 10,000 writes that wait the member reads the number, at the cost of one look at the storage and one POST', async ({
  page,
  context,
  hosted,
}) => {
  await leaveWaiting({ page, context, hosted }, 1);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('gantry-outbox');
        request.onsuccess = () => {
          const writes = request.result.transaction('writes', 'readwrite').objectStore('writes');
          const first = writes.getAll();
          first.onsuccess = () => {
            const [entry] = first.result;
            for (let n = 1; n < 10_000; n += 1) {
              const key = `${entry.key}-${String(n).padStart(5, '0')}`;
              writes.put({ ...entry, key, id: `more-${n}` }, key);
            }
          };
          writes.transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
  );
  await page.addInitScript(() => {
    const { transaction } = IDBDatabase.prototype;
    Object.assign(globalThis, { transactions: 0 });
    IDBDatabase.prototype.transaction = function (...args) {
      if (this.name === 'gantry-outbox')
        Object.assign(globalThis, { transactions: Reflect.get(globalThis, 'transactions') + 1 });
      return transaction.apply(this, args);
    };
  });
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && /"write":/.test(request.postData() ?? '')) posts += 1;
  });
  await open(page, hosted);
  await expect(line(page)).toHaveText('10000 changes wait for a connection');
  // A slow machine sees more tries; each is one POST, not one for each write. The test may hear of
  // it later.
  const transactions = Number(await page.evaluate('transactions'));
  await expect.poll(() => 1 + 3 * (posts + 1)).toBeGreaterThanOrEqual(transactions);
  expect(posts).toBeLessThan(20);
  await expect(known(page)).toHaveText(Array(20).fill('waiting').join(', '));
  await press(page, 1);
  await expect(frameOf(page, 'notes').locator('#refused')).toHaveText('STORAGE_FULL');
});

test('writes that wait in a page of the back/forward cache are sent when it comes back', async ({
  page,
  context,
  hosted,
}) => {
  // A browser may refuse to cache a page for undisclosed reasons: then the test tries once more.
  let isCached = false;
  for (let visit = 1; !isCached; visit += 1) {
    expect(visit).toBeLessThan(4);
    const restore = await leaveWaiting({ page, context, hosted }, 2);
    await page.evaluate('kept = true');
    await page.goto(`${hosted.url}/?body=Elsewhere`);
    await restore();
    await page.evaluate(() => setTimeout(() => history.back()));
    await page.locator('gantry-gadget').waitFor();
    isCached = await page.evaluate(() => 'kept' in window);
    await expect(line(page)).toHaveCount(0);
  }
  expect((await written(hosted)).names).toEqual(expect.arrayContaining(['n1', 'n2']));
});

test('a later page sends what a page of the back/forward cache has, and that one does not repeat it', async ({
  page,
  context,
  hosted,
}) => {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (!request.url().endsWith('/gantry/calls')) return;
    for (const { write } of request.postDataJSON().calls) if (write) sent.push(write);
  });
  const restore = await leaveWaiting({ page, context, hosted }, 2);
  await restore();
  sent.length = 0;
  await page.goto(`${hosted.url}/?${new URLSearchParams({ body: `${gadget}<p>Next</p>` })}`);
  await expect(known(page)).toHaveText('done, done');
  await page.evaluate(() => setTimeout(() => history.back()));
  await expect(page.getByText('Next')).toHaveCount(0);
  await expect(known(page)).toHaveText('done, done'); // by a message, or by its storage after a reload
  await expect(line(page)).toHaveCount(0);
  expect(sent).toEqual(['save-1', 'save-2']);
});

test('a tab that is frozen while it listens for all hands that over', async ({ page, context, hosted }) => {
  await open(page, hosted);
  const holder = () =>
    page.evaluate(
      async () => (await navigator.locks.query()).held?.find(({ name }) => /events/.test(name ?? ''))?.clientId,
    );
  await expect.poll(holder).toBeTruthy();
  const first = await holder();
  const other = await context.newPage();
  await open(other, hosted);
  const waiting = () => page.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(waiting).toBe(1);
  expect(await holder()).toBe(first); // control
  await page.evaluate(() => setTimeout(() => document.dispatchEvent(new Event('freeze'))));
  await expect.poll(async () => ![first, undefined].includes(await holder())).toBe(true);
  await page.evaluate(() => setTimeout(() => document.dispatchEvent(new Event('resume'))));
  await expect.poll(waiting).toBe(1);
});

test('a tab that is frozen while it sends holds back the writes of other tabs for a minute at most', async ({
  page,
  context,
  hosted,
}) => {
  const restore = await leaveWaiting({ page, context, hosted }, 1);
  const other = await context.newPage();
  await other.clock.install();
  await open(other, hosted);
  await expect(line(other)).toHaveText('1 change waits for a connection');
  await page.route('**/gantry/calls', () => undefined); // no end of its POST, as in a frozen tab
  const sending = page.waitForRequest('**/gantry/calls');
  await restore();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await sending;
  await press(other, 1);
  await other.evaluate(() => dispatchEvent(new Event('online')));
  await expect(line(other)).toHaveText('1 change waits for a connection'); // control
  await other.clock.fastForward(60_000);
  await expect(line(other)).toHaveCount(0);
  // The second write follows the first, for which alone the line waits.
  await expect.poll(() => written(hosted)).toEqual({ last: '2', names: ['n1', 'n2'] });
});

test('a page of the site within a page of another site runs no app, and says so: no write waits in partitioned storage', async ({
  page,
  hosted,
}) => {
  const body = gadget.replace('900000', '900000, "startMs": 1000');
  const src = `${hosted.url}/?${new URLSearchParams({ body })}`;
  await page.setExtraHTTPHeaders({ viewer: '1' }); // the frame gets no cookie
  const embedding = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<iframe src="${src}"></iframe>`);
  }).listen(0);
  await page.goto(`http://127.0.0.1:${(embedding.address() as AddressInfo).port}`);
  const card = page.frameLocator('iframe').locator('gantry-gadget [part="card"]');
  await expect(card).toContainText('is not available');
  embedding.close();
});
