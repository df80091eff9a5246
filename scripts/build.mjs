// Builds what browsers load: the SDK, the container, the dev host's page and the demo's module gadgets, or the folders that are named. Node itself
// runs the sources.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestFile } from './newest-file.ts';
import { root } from './prepare.mjs';

const outputs = {
  'packages/osapi': ['packages/osapi/dist/osapi.js'],
  'packages/container': [
    'container.js',
    'self-test-page.js',
    'self-test-probe.js',
    'custom-elements.json',
    'vscode.html-custom-data.json',
    'web-types.json',
  ].map((name) => `packages/container/dist/${name}`),
  'packages/lab/agent': ['packages/lab/dist/agent-script/agent.js'],
  'packages/testing/tap': ['packages/testing/dist/tap-script/tap.js'],
  'packages/testing/page': ['packages/testing/dist/page/index.html'],
  'packages/dev/page': ['packages/dev/dist/page/index.html'],
  'packages/dev/agent': ['packages/dev/dist/agent/agent.js'],
  demo: ['demo/dist/apps/stream/index.html', 'demo/dist/apps/photos/index.html'],
};
const sources = [
  'packages/{wire,bridge,osapi,container}/{src/**/*,**/vite.config.ts,package.json}',
  'packages/lab/{src,agent,page}/**/*',
  'packages/testing/{page/**/*,tap/**/*,src/kit-protocol.ts,package.json}',
  'packages/dev/{page/**/*,agent/**/*,src/protocol.ts,package.json}',
  'demo/{apps/**/*,vite.config.ts}',
];

const wanted = process.argv.slice(2);
const changed = newestFile(sources, root);
for (const [folder, files] of Object.entries(outputs)) {
  if (wanted.length > 0 && !wanted.includes(folder)) continue;
  if (files.every((file) => changedAt(file) > changed)) continue;
  rmSync(join(root, folder, 'dist/chunks'), { recursive: true, force: true }); // their names change with their content
  const { build } = await import('vite');
  await build({ root: join(root, folder), configFile: join(root, folder, 'vite.config.ts'), logLevel: 'warn' });
  if (folder !== 'packages/container') continue;
  const configFile = join(root, folder, 'self-test/vite.config.ts');
  for (const mode of ['page', 'probe']) await build({ root: join(root, folder), configFile, mode, logLevel: 'warn' });
  const { writeDescriptions } = await import('./custom-elements.mjs');
  await writeDescriptions();
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
