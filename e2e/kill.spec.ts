import { writeSetting } from '@gantry/service';
import { sql } from '@gantry/store';
import type { Page, Route } from '@playwright/test';
import { expect, frameOf, type Hosted, inEachMode, test } from './hosted.ts';

// Writes on the test's command, and shows the outcome of known writes of this document and earlier
// ones. `once` is a naive app, whose writes have no id.
const journal = `<!doctype html><html lang="en"><title>Journal</title><ul id="known"></ul>
  <script src="/gantry/osapi.js"></script>
  <script>
    const states = new Map();
    const learn = ({ id, state }) => {
      states.set(id, state);
      known.replaceChildren(...[...states].map(([id, state]) => Object.assign(document.createElement('li'), { textContent: id + ' ' + state })));
    };
    gantry.on('write', learn);
    osapi.ready.then(({ writes }) => {
      writes.forEach(learn);
      document.body.dataset.ready = '1';
    });
    addEventListener('message', ({ data }) => {
      if (data.leave) location.reload();
      const options = { write: { ...(!data.once && { id: data.id }), queue: data.queue } };
      if (data.kind === 'post') osapi.activities.create({ activity: { title: data.id } }, options).execute(() => { document.body.dataset.heard = data.id; });
      if (data.kind === 'save') osapi.appdata.update({ data: { [data.id]: 'kept', last: data.id } }, options).execute(() => {});
    });
  </script>`;

test.use({ apps: { journal: { 'index.html': journal } } });
test.beforeEach(async ({ hosted }) => writeSetting(hosted.stores.db, 'minimumInterval', '0'));

const gadget = '<gantry-gadget app="journal" loading="eager"></gantry-gadget>';

const ways = ['reload', 'leave', 'remove', 'stop', 'move'] as const;
/** Fate of the write's first POST. `late`: the response comes after the app's document ended. */
const fates = ['through', 'through', 'request lost', 'answer lost', 'late'] as const;

interface Kill {
  readonly id: string;
  readonly kind: 'post' | 'save';
  readonly way: (typeof ways)[number];
  readonly fate: (typeof fates)[number];
  /** Delay between the page's receipt of the write and the end of the app's document. */
  readonly afterMs: number;
}

/** The same kills in each run. */
function seededKills(seed: number, count: number): readonly Kill[] {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return Array.from({ length: count }, (_, index) => ({
    id: `w${seed}-${index}`,
    kind: pick(['post', 'save'] as const),
    way: ways[index % ways.length] as Kill['way'], // every way, also in a short list
    fate: pick(fates),
    afterMs: pick([0, 1, 3, 5, 10, 20, 40, 80]),
  }));
}

/** Runs in the page first: reports the writes that a port of the page has received. */
function listenAtPorts(): void {
  const listen = MessagePort.prototype.addEventListener;
  const ports = new WeakSet<MessagePort>();
  MessagePort.prototype.addEventListener = function (this: MessagePort, ...args: Parameters<typeof listen>) {
    if (!ports.has(this)) {
      ports.add(this);
      listen.call(this, 'message', (event) => {
        const heard = /\bid\W+(w[\d-]+)/.exec(JSON.stringify((event as MessageEvent).data)); // JSON within JSON
        if (heard) dispatchEvent(new CustomEvent(`heard ${heard[1]}`));
      });
    }
    listen.apply(this, args);
  } as typeof listen;
}

/** Starts a write in the app, kills its document midway, and replaces it. */
async function killMidWrite(page: Page, kill: Kill): Promise<void> {
  await page.evaluate(
    ({ id, kind, way, afterMs }) =>
      new Promise<void>((resolve) => {
        const gadget = document.querySelector('gantry-gadget') as HTMLElement & { reload(): void; stop(): void };
        const app = () => gadget.shadowRoot?.querySelector('iframe')?.contentWindow;
        const end = {
          reload: () => gadget.reload(),
          leave: () => app()?.postMessage({ leave: true }, '*'),
          stop() {
            gadget.stop();
            gadget.reload(); // resets the restart limit
          },
          remove() {
            gadget.remove();
            const next = document.createElement('gantry-gadget');
            next.setAttribute('app', 'journal');
            next.setAttribute('loading', 'eager');
            setTimeout(() => document.body.append(next));
          },
          move: () => document.body.append(gadget), // without moveBefore a frame does not survive that
        }[way];
        const kill = () => {
          end();
          resolve();
        };
        addEventListener(`heard ${id}`, () => setTimeout(kill, afterMs), { once: true });
        app()?.postMessage({ id, kind }, '*');
      }),
    kill,
  );
}

/** Posts and AppData of the site, by the names of the writes. */
async function written({ stores }: Hosted): Promise<{ posts: string[]; saves: Record<string, string> }> {
  const posts = await stores.db.query<{ title: string }>(sql`select title from activity where title like 'w%'`);
  const data = await stores.db.query<{ key: string; value: string }>(
    sql`select key, value from app_data where app_id = 'journal' and member_id = '1'`,
  );
  return {
    posts: posts.map(({ title }) => title).sort(),
    saves: Object.fromEntries(data.map(({ key, value }) => [key, value])),
  };
}

const writeItems = (page: Page) => frameOf(page, 'journal').locator('#known li');
const ready = (page: Page) => expect(frameOf(page, 'journal').locator('body[data-ready]')).toBeAttached();

/** Applies its fate to the first POST of each write; repeats get through. */
async function tamper(page: Page, kills: readonly Kill[]): Promise<{ isDead(id: string): void }> {
  const open = new Map(kills.map((kill) => [kill.id, { ...kill, dead: Promise.withResolvers<void>() }]));
  const first = (route: Route) => {
    const calls: { write?: string }[] = route.request().postDataJSON().calls;
    const match = calls.map(({ write = '' }) => open.get(write)).find((kill) => kill !== undefined);
    if (match) open.delete(match.id);
    return match;
  };
  const dead = new Map([...open].map(([id, kill]) => [id, kill.dead]));
  await page.route('**/gantry/calls', async (route) => {
    const kill = first(route);
    if (kill === undefined || kill.fate === 'through') return route.continue();
    if (kill.fate === 'request lost') return route.abort();
    const response = await route.fetch(); // the site has processed it
    await kill.dead.promise;
    await (kill.fate === 'answer lost' ? route.abort() : route.fulfill({ response }));
  });
  return { isDead: (id) => dead.get(id)?.resolve() };
}

inEachMode((mode) => {
  const count = mode === 'opaque' ? 30 : 5;

  test(`none of ${count} apps killed mid-write loses or doubles it, and the next instance gets its outcome (ADR 21)`, async ({
    show,
    page,
    hosted,
  }) => {
    const kills = seededKills(count, count);
    await page.addInitScript(listenAtPorts);
    await show(gadget);
    await ready(page);
    const network = await tamper(page, kills);
    for (const kill of kills) {
      await killMidWrite(page, kill);
      network.isDead(kill.id);
      await expect(writeItems(page).filter({ hasText: `${kill.id} done` }), JSON.stringify(kill)).toHaveCount(1);
      await ready(page);
    }
    const { posts, saves } = await written(hosted);
    const ids = (kind: Kill['kind']) => kills.filter((kill) => kill.kind === kind).map(({ id }) => id);
    expect(posts).toEqual(ids('post').sort());
    const { last, ...saved } = saves;
    expect(Object.keys(saved).sort()).toEqual(ids('save').sort());
    expect(last).toBe(ids('save').at(-1));
  });
});

test('an app that is killed before the page has its outbox loses no write either (ADR 21)', async ({
  show,
  page,
  hosted,
}) => {
  const killed = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route('**/gantry/chunks/open-outbox-*', async (route) => {
    isHeld = true;
    await killed.promise;
    await route.continue();
  });
  await page.addInitScript(listenAtPorts);
  await show(gadget);
  await ready(page);
  const body = frameOf(page, 'journal').locator('body');
  await body.evaluate((element) => element.setAttribute('data-first', ''));
  await killMidWrite(page, { id: 'w0-0', kind: 'post', way: 'reload', fate: 'through', afterMs: 0 });
  await expect(body).toHaveAttribute('data-ready');
  await expect(body).not.toHaveAttribute('data-first');
  expect(isHeld).toBe(true);
  killed.resolve();
  await expect(writeItems(page)).toHaveText(['w0-0 done']);
  expect((await written(hosted)).posts).toContain('w0-0');
});

test.describe('an app that was killed before it heard of its post, and posts it again', () => {
  for (const { how, once, posts } of [
    { how: 'without an id has posted twice (positive control)', once: true, posts: ['w-again', 'w-again'] },
    { how: 'under its own id has posted once', once: false, posts: ['w-again'] },
  ]) {
    test(how, async ({ show, page, hosted }) => {
      await hosted.stores.db.query(sql`delete from activity`);
      await page.route(
        '**/gantry/calls',
        async (route) => {
          const response = await route.fetch(); // the site has processed it
          await page.evaluate(() => {
            const gadget = document.querySelector('gantry-gadget') as HTMLElement & { reload(): void; stop(): void };
            gadget.stop();
            gadget.reload();
          });
          await route.fulfill({ response });
        },
        { times: 1 },
      );
      const post = () =>
        page.evaluate(
          (data) => {
            const frame = document.querySelector('gantry-gadget')?.shadowRoot?.querySelector('iframe');
            frame?.contentWindow?.postMessage(data, '*');
          },
          { id: 'w-again', kind: 'post', once },
        );
      await show(gadget);
      await ready(page);
      const killed = page.waitForResponse('**/gantry/calls');
      await post();
      await killed;
      await ready(page);
      await post();
      await expect(frameOf(page, 'journal').locator('body')).toHaveAttribute('data-heard', 'w-again');
      expect((await written(hosted)).posts).toEqual(posts);
    });
  }
});
