import type { Browser, Tab } from './browser.ts';
import { buttonIn, frameOf } from './elements.ts';
import type { Outcomes } from './outcomes.ts';
import type { Site } from './site.ts';
import { until } from './wait.ts';

type Scenario = (context: { readonly browser: Browser; readonly tab: Tab; readonly site: Site }) => Promise<void>;

const gadget = (app: string) => `<gantry-gadget app="${app}"></gantry-gadget>`;

/** Scenarios of the demo's apps, by what a member sees. */
const scenarios: Readonly<Record<string, Scenario>> = {
  async 'calls: a list of friends'({ tab, site }) {
    await site.show(tab, gadget('friends'));
    await until(tab, "document.querySelectorAll('#people li').length === 2", frameOf('friends'));
  },
  async 'write: a note that is there after a reload'({ tab, site }) {
    await site.show(tab, gadget('notes'));
    await writeNote(tab, 'Buy varnish for the boat');
    await until(tab, savedState, frameOf('notes'));
    await site.show(tab, gadget('notes'));
    const text = "document.querySelector('textarea').value";
    await until(tab, `${text} === 'Buy varnish for the boat'`, frameOf('notes'));
  },
  async 'consent: the app after its card'({ tab, site }) {
    await site.show(tab, gadget('birthdays'));
    await until(tab, buttonIn('birthdays', 'Allow'));
    await tab.click(buttonIn('birthdays', 'Allow'));
    await until(tab, "!document.getElementById('soon').hidden", frameOf('birthdays'));
  },
  async 'keyboard: Tab into an app and out of it'({ tab, site }) {
    await site.show(tab, `<button id="before">Before</button>${gadget('friends')}<button id="after">After</button>`);
    await until(tab, "document.querySelectorAll('#people li').length > 0", frameOf('friends'));
    await tab.read("document.getElementById('before').focus()");
    const passed: string[] = [];
    while (passed.at(-1) !== 'after' && passed.length < 20) {
      await tab.press('Tab');
      passed.push(await tab.read('document.activeElement.id || document.activeElement.localName'));
    }
    if (passed.at(-1) !== 'after' || !passed.includes('gantry-gadget')) throw new Error(`Tab went ${passed.join()}`);
  },
  async 'events: a friend’s note without a reload'({ browser, tab, site }) {
    await site.show(tab, gadget('board'));
    await until(tab, "document.getElementById('out').textContent === 'nothing'", frameOf('board'));
    const other = await browser.openTab();
    try {
      await site.show(other, gadget('board'), { viewer: '2' });
      await until(other, "document.getElementById('out').textContent", frameOf('board'));
      await other.click("document.getElementById('write')", frameOf('board'));
      await tab.bringToFront();
      await until(tab, "document.getElementById('out').textContent === 'low tide'", frameOf('board'));
    } finally {
      await other.close();
    }
  },
};

const offline: Readonly<Record<string, Scenario>> = {
  async 'no network: a note that waits and is saved later'({ tab, site }) {
    await site.show(tab, gadget('notes'));
    const outbox = "indexedDB.databases().then((all) => all.some(({ name }) => name === 'gantry-outbox'))";
    await until(tab, notebook, frameOf('notes'));
    await until(tab, outbox); // all that is needed without a network has been fetched
    try {
      site.cut();
      await writeNote(tab, 'Written at sea');
      const line = "document.querySelector('gantry-gadget').shadowRoot.querySelector('[part=outbox]')";
      await until(tab, `/1 change waits/.test(${line}.textContent)`);
    } finally {
      site.restore();
    }
    await tab.read("void dispatchEvent(new Event('online'))"); // a browser says so itself when its network is back
    await until(tab, savedState, frameOf('notes'));
  },
};

const notebook = "!document.getElementById('notebook').hidden";
export const savedState = "document.querySelector('.state').textContent.startsWith('Saved')";

/** Opens a new note in the app `notes` and types. */
export async function writeNote(tab: Tab, text: string): Promise<void> {
  await until(tab, notebook, frameOf('notes'));
  await tab.click("document.getElementById('add')", frameOf('notes'));
  await until(tab, "document.activeElement.localName === 'textarea'", frameOf('notes'));
  await tab.type(text);
}

/** Tries the container with the demo's apps. */
export async function runContainer(browser: Browser, site: Site): Promise<Outcomes> {
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, scenario] of Object.entries(site.mode === 'opaque' ? { ...scenarios, ...offline } : scenarios)) {
    const tab = await browser.openTab();
    try {
      await scenario({ browser, tab, site });
      rows[name] = { [site.mode]: 'works' };
    } catch (error) {
      rows[name] = { [site.mode]: `fails: ${error instanceof Error ? error.message : error}` };
    } finally {
      await tab.close();
    }
  }
  return { container: rows };
}
