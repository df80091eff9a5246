import type { Entry } from '@gantry/lab';
import type { Page } from '@playwright/test';
import { callsOf, contextIn, eventsOf, stateIn, withRecordView } from '../record-view.ts';
import type { RecordView } from '../types.ts';
import type { SiteRecord } from './site-record.ts';
import type { FindOptions, SiteGadget } from './site-types.ts';
import { appsOn, hiddenGadgets, isStill, stateOf, waitUntil } from './wait-for-gadget.ts';

const findLimitMs = 15_000;
const settledLimitMs = 10_000;
const ended: readonly string[] = ['ready', 'asking', 'failed', 'stopped'];

/** Makes the gadget of a page of a running site. `find` says which. */
export function createSiteGadget(options: {
  readonly page: Page;
  readonly site: string;
  readonly record: SiteRecord;
}): SiteGadget {
  const { page, site, record } = options;
  let app = '';
  let index = 0;
  let element = page.locator('gantry-gadget').first();

  function concerns(entry: Entry): boolean {
    if (app === '') return false;
    if (entry.kind === 'left-out') return true; // may include entries of this gadget
    if (entry.place !== undefined) return entry.place.endsWith(`/${app}#${index + 1}`);
    return record.mayBeOf(app, entry);
  }
  const entries = (): readonly Entry[] => record.entries.filter(concerns);

  async function find(id: string, { page: path, index: at = 0, timeout = findLimitMs }: FindOptions = {}) {
    requireFound(/^[\w.-]{1,128}$/.test(id), `${id} is no id of an app.`);
    const address = new URL(path ?? '/', site).href;
    if (path !== undefined || !page.url().startsWith('http')) await page.goto(address);
    [app, index] = [id, at];
    element = page.locator(`gantry-gadget[app="${id}"]`).nth(at);
    const what = `the gadget ${id} on ${page.url()}`;
    const missing = async () => ((await element.count()) > 0 ? '' : await whatIsThere());
    await waitUntil(page, { what, timeoutMs: timeout, missing }).catch(async ({ message }: Error) => {
      throw new Error(message + (await hiddenGadgets(page)));
    });
    await element.scrollIntoViewIfNeeded({ timeout }); // its app loads when it is near the view
    await arrived(what, timeout);
  }

  async function arrived(what: string, timeoutMs: number): Promise<void> {
    const missing = async () => {
      const state = await stateOf(element);
      if (state === undefined) return 'the page has not defined the element';
      return ended.includes(state) ? '' : `its state is ${state}`;
    };
    await waitUntil(page, { what, timeoutMs, missing });
    const state = await stateOf(element);
    requireFound(state === 'ready' || state === 'asking', `${app} is ${state}: ${await cardText()}`);
    await record.pull();
  }

  async function whatIsThere(): Promise<string> {
    const there = await appsOn(page);
    return `the page ${page.url()} has ${there.length > 0 ? `gadgets of ${there.join(', ')}` : 'no gadgets; is a member signed in?'}`;
  }

  /** Text of the card that stands in the app's place. */
  async function cardText(): Promise<string> {
    const text = await element.evaluate((gadget) => gadget.shadowRoot?.querySelector('[part~="card"]')?.textContent);
    return text?.replace(/\s+/g, ' ').trim() || 'no reason is shown.';
  }

  function requireApp(): void {
    requireFound(app !== '', 'No gadget was found yet: call gadget.find first.');
  }

  /** Returns what is open or moving; an empty text for nothing. */
  async function unsettled(): Promise<string> {
    await record.pull();
    const state = await stateOf(element);
    if (state !== 'ready' && state !== 'asking') return `its state is ${state}`;
    const open = callsOf(entries()).filter(({ isSettled }) => !isSettled);
    if (open.length > 0) return `${open.length} calls open: ${open.map(({ operation }) => operation).join(', ')}`;
    const writes = writesWaiting(entries());
    if (writes > 0) return `${writes} writes waiting`;
    const messages = (): number => entries().filter(({ place }) => place !== undefined).length;
    const before = messages();
    const still = await isStill(element);
    await record.pull();
    if (messages() > before) return 'messages until just now';
    return still ? '' : 'height still changing';
  }

  const parts: Omit<SiteGadget, keyof RecordView> = {
    page,
    get element() {
      return element;
    },
    get frame() {
      return element.frameLocator('iframe');
    },
    get app() {
      return app;
    },
    get viewer() {
      return record.viewer;
    },
    find,
    async mount(wanted = app, more = {}) {
      const unknown = Object.keys(more).filter((name) => !['page', 'index', 'timeout'].includes(name));
      const sentence = `A running site takes no ${unknown.join(', ')}: it decides what is shown, and to the member who is signed in.`;
      requireFound(unknown.length === 0, sentence);
      requireFound(wanted !== '', 'Name the app to find.');
      await find(wanted, more);
    },
    async reload() {
      requireApp();
      const before = callsOf(entries()).length;
      await element.evaluate((gadget) => {
        const ready = new Promise<void>((resolve) => {
          gadget.addEventListener('gantry-ready', () => resolve(), { once: true });
        });
        if ('reload' in gadget && typeof gadget.reload === 'function') gadget.reload();
        return ready;
      });
      await arrived(`${app} to be ready again, after ${before} calls`, findLimitMs);
    },
    async settled({ timeout = settledLimitMs } = {}) {
      requireApp();
      await waitUntil(page, { what: `${app} to settle`, timeoutMs: timeout, missing: unsettled });
    },
    async context() {
      await record.pull();
      return contextIn(entries());
    },
    async state() {
      await record.pull();
      return stateIn(entries());
    },
  };
  return withRecordView(parts, entries);
}

function requireFound(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Error(sentence);
}

/** Counts writes that wait, by the reports of the page. */
function writesWaiting(entries: readonly Entry[]): number {
  const states = new Map<string, unknown>();
  for (const { name, data } of eventsOf(entries)) {
    if (name !== 'write' || typeof data !== 'object' || data === null || !('id' in data)) continue;
    states.set(String(data.id), 'state' in data ? data.state : undefined);
  }
  return [...states.values()].filter((state) => state !== 'done').length;
}
