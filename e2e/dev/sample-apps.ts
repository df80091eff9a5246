import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files of small apps under development, by their paths. */
export type AppSources = Readonly<Record<string, string>>;

const manifest = (name: string): string =>
  JSON.stringify({ name, page: 'index.html', height: 240, uses: ['people.get'] });
const hello = "import { osapi } from '@gantry/osapi';\n";
const page = (script: string): string =>
  `<!doctype html>\n<title>App</title>\n<div id="root"></div>\n<p id="out"></p>\n<script type="module" src="./src/${script}"></script>\n`;

/** An app of TypeScript modules: it accepts text and a style in place, and has an asset. */
export const typescriptApp: AppSources = {
  'gadget.json': manifest('TypeScript'),
  'index.html': page('main.ts'),
  'src/main.ts': `${hello}import logo from './logo.svg';
import './style.css';
import { text } from './text.ts';

declare global {
  interface Window { starts: number; logo: string }
}
const out = document.getElementById('out') as HTMLElement;
out.textContent = text;
window.starts = (window.starts ?? 0) + 1;
window.logo = logo;
osapi.ready.then(() => { document.title = 'ready'; });
if (import.meta.hot) {
  import.meta.hot.accept('./text.ts', (module) => { if (module) out.textContent = module.text; });
}
`,
  'src/text.ts': "export const text: string = 'v0';\n",
  'src/style.css': '#out { color: rgb(1, 0, 0); }\n',
  'src/logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>\n'.padEnd(
      5_000, // larger than what Vite writes into the module itself
      ' ',
    ),
};

export const reactApp: AppSources = {
  'gadget.json': manifest('React'),
  'vite.config.ts': "import react from '@vitejs/plugin-react';\n\nexport default { plugins: [react()] };\n",
  'index.html': page('main.tsx'),
  'src/main.tsx': `${hello}import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

void osapi.ready;
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
`,
  'src/app.tsx': `import { useState } from 'react';

export function App() {
  const [count, setCount] = useState(0);
  return <button id="out2" type="button" onClick={() => setCount(count + 1)}>v0 {count}</button>;
}
`,
};

export const vueApp: AppSources = {
  'gadget.json': manifest('Vue'),
  'vite.config.ts': "import vue from '@vitejs/plugin-vue';\n\nexport default { plugins: [vue()] };\n",
  'index.html': page('main.ts'),
  'src/main.ts': `${hello}import { createApp } from 'vue';
import App from './App.vue';

void osapi.ready;
createApp(App).mount('#root');
`,
  'src/App.vue': `<script setup lang="ts">
import { ref } from 'vue';

const count = ref(0);
</script>

<template>
  <button id="out2" type="button" @click="count += 1">v0 {{ count }}</button>
</template>
`,
};

/** An app that a browser runs as it is. */
export const plainApp: AppSources = {
  'gadget.json': manifest('Plain'),
  'index.html': `<!doctype html>
<title>Plain</title>
<link rel="stylesheet" href="style.css">
<p id="out"></p>
<script src="/gantry/osapi.js"></script>
<script src="app.js"></script>
`,
  'app.js': "document.getElementById('out').textContent = 'v0';\n",
  'style.css': '#out { color: rgb(1, 0, 0); }\n',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n',
};

/**
 * Writes apps into a folder of the workspace, whose packages they resolve. @returns their folders,
 * and a function that removes them.
 */
export async function writeApps<Name extends string>(
  apps: Readonly<Record<Name, AppSources>>,
): Promise<{ readonly folders: Readonly<Record<Name, string>>; remove(): Promise<void> }> {
  const parent = join(import.meta.dirname, '../../.gantry');
  await mkdir(parent, { recursive: true });
  const root = await mkdtemp(join(parent, 'dev-apps-'));
  const folders: Record<string, string> = {};
  for (const [name, files] of Object.entries<AppSources>(apps)) {
    folders[name] = join(root, name);
    await mkdir(folders[name]);
    for (const [path, text] of Object.entries(files)) {
      const file = join(root, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  return { folders: folders as Record<Name, string>, remove: () => rm(root, { recursive: true, force: true }) };
}
