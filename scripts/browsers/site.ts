import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mode, openHosted } from '../../e2e/hosted.ts';
import { exfiltrator } from '../../e2e/hostile/exfiltrator.ts';
import type { Listeners } from '../../e2e/hostile/listeners.ts';
import type { AppFiles } from '../../e2e/write-app.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import type { Tab } from './browser.ts';
import { openRelay } from './relay.ts';

/** A site with the demo's apps of plain files, in one mode of isolation. */
export interface Site {
  readonly url: string;
  readonly mode: Mode;
  /** Shows a page of the site to a member. */
  show(tab: Tab, body: string, options?: { readonly viewer?: string; readonly policy?: string }): Promise<void>;
  /** The one place for frames that the page's policy should allow. */
  readonly appFrames: string;
  /** Refuses connections, as a lost network, until `restore`. In mode `opaque` only. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Opens a site. Its app `spy` sends what it can to the listeners. */
export async function openSite(mode: Mode, listeners: Listeners): Promise<Site> {
  const demo = (id: string) => readFiles(join(import.meta.dirname, '../../demo/apps', id));
  const apps = {
    ...{ friends: demo('friends'), notes: demo('notes'), birthdays: demo('birthdays') },
    ...{ board, spy: exfiltrator(listeners) },
  };
  const port = await freePort();
  const relay = mode === 'opaque' ? await openRelay(port) : undefined; // hosts of apps name the server's own port
  const server = await openHosted({
    ...{ mode, apps, asking: ['birthdays'], port },
    ...(relay && { url: `http://localhost:${relay.port}` }),
  });
  const { host } = new URL(server.url);
  const places: Record<Mode, string> = {
    opaque: `${server.url}/gantry/apps/`,
    'one origin': `http://sandbox.${host}/`,
    'origin per app': `http://*.apps.${host}/`,
  };

  return {
    url: server.url,
    mode,
    appFrames: places[mode],
    async show(tab, body, { viewer = '1', policy } = {}) {
      await tab.setCookie({ name: 'viewer', value: viewer, url: server.url });
      const headers = JSON.stringify(policy === undefined ? {} : { 'Content-Security-Policy': policy });
      await tab.goTo(`${server.url}/?${new URLSearchParams({ body, headers })}`);
    },
    cut: () => relay?.cut(),
    restore: () => relay?.restore(),
    async close() {
      relay?.close();
      await server.close();
    },
  };
}

function readFiles(folder: string): AppFiles {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name))]));
}

// Shows what friends wrote, as it comes.
const board: AppFiles = {
  'gadget.json': JSON.stringify({ name: 'Board', page: 'index.html', uses: ['appdata.get', 'appdata.update'] }),
  'index.html': `<!doctype html><html lang="en"><title>Board</title><button id="write">Write</button><p id="out"></p>
    <script src="/gantry/osapi.js"></script>
    <script>
      write.onclick = () => osapi.appdata.update({ data: { note: 'low tide' } }).execute(() => {});
      osapi.appdata.get({ userId: '@viewer', groupId: '@friends', keys: ['note'] }).subscribe((byMember) => {
        out.textContent = Object.values(byMember).map(({ note = '' }) => note).join('') || 'nothing';
      });
    </script>`,
};
