import { type AppFiles, writeApp } from '../write-app.ts';

const files = {
  'gadget.json': JSON.stringify({ name: 'Greeter', page: 'index.html', height: 120, uses: ['people.get'] }),
  'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Greeter</title>
    <style>:root { color-scheme: var(--gantry-scheme, light dark) } body { margin: 1rem; font: 1rem/1.5 system-ui }</style>
    <script src="/gantry/osapi.js"></script><script src="greeter.js" defer></script>
    <p id="greeting"></p><p id="start"></p><p id="place"></p><button type="button">Pressed 0 times</button></html>`,
  'greeter.js': `let presses = 0;
    const button = document.querySelector('button');
    button.addEventListener('click', () => { presses += 1; button.textContent = 'Pressed ' + presses + ' times'; });
    gadgets.util.registerOnLoadHandler(async () => {
      const start = { tab: gadgets.views.getParams().tab, draft: (await gantry.state.get()) ?? 'none' };
      document.getElementById('start').textContent = 'Tab ' + start.tab + ', draft ' + start.draft;
    });
    osapi.people.getViewer().then(({ displayName }) => {
      document.getElementById('greeting').textContent = 'Hello ' + displayName;
    }, () => { document.getElementById('greeting').textContent = 'Hello stranger'; });`,
  'greeter.gadget.ts': `import type { Story } from '@gantry/lab/scenario';
    import { worldOf } from './people.ts';
    export const plain: Story = {};
    export const zoe: Story = { title: 'Somebody of its own world', width: 300, world: () => worldOf('Zoë Okafor') };
    export const dark: Story = { theme: 'dark', direction: 'rtl', width: 280 };`,
  'people.ts': `export function worldOf(displayName: string) {
      return { site: { name: 'Own' }, members: [{ id: 'z', displayName }] };
    }`,
};

/** Writes a gadget with stories that the demo does not know, and returns its folder. */
export function writeGreeter(more: AppFiles = {}): string {
  return writeApp('greeter', { ...files, ...more });
}
