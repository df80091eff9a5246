// Builds the scripts for browsers: the SDK, the container, the dev host's page and the demo's
// module gadgets, or the named folders. Node itself runs the sources.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestFile } from './newest-file.ts';
import { root } from './prepare.mjs';

const outputs = {
  'packages/osapi': ['packages/osapi/dist/osapi.js'],
  'packages/container': ['container.js', 'custom-elements.json', 'vscode.html-custom-data.json', 'web-types.json'].map(
    (name) => `packages/container/dist/${name}`,
  ),
  'packages/server/src/self-test/browser': ['page', 'probe'].map(
    (name) => `packages/server/dist/self-test-scripts/${name}.js`,
  ),
  'packages/lab/agent': ['packages/lab/dist/agent-script/agent.js'],
  'packages/testing/tap': ['packages/testing/dist/tap-script/tap.js'],
  'packages/testing/page': ['packages/testing/dist/page/index.html'],
  'packages/dev/page': ['packages/dev/dist/page/index.html'],
  'packages/dev/agent': ['packages/dev/dist/agent/agent.js'],
  demo: ['demo/dist/apps/stream/index.html', 'demo/dist/apps/photos/index.html'],
};
/** Folders whose configuration builds one script at a time, named by Vite's mode. */
const modes = { 'packages/server/src/self-test/browser': ['page', 'probe'] };
const sources = [
  'packages/{wire,bridge,osapi,container}/{src/**/*,**/vite.config.ts,package.json}',
  'packages/server/src/self-test/browser/**/*',
  'packages/lab/{src,agent,page}/**/*',
  'packages/testing/{page/**/*,tap/**/*,src/kit-protocol.ts,package.json}',
  'packages/dev/{page/**/*,agent/**/*,src/protocol.ts,package.json}',
  'demo/{apps/**/*,vite.config.ts}',
];

const chosen = process.argv.slice(2);
const changed = newestFile(sources, root);
for (const [folder, files] of Object.entries(outputs)) {
  if (chosen.length > 0 && !chosen.includes(folder)) continue;
  if (files.every((file) => changedAt(file) > changed)) continue;
  rmSync(join(root, folder, 'dist/chunks'), { recursive: true, force: true }); // their names change with their content
  const { build } = await import('vite');
  const options = { root: join(root, folder), configFile: join(root, folder, 'vite.config.ts'), logLevel: 'warn' };
  for (const mode of modes[folder] ?? ['production']) await build({ ...options, mode });
  if (folder !== 'packages/container') continue;
  const { writeDescriptions } = await import('./custom-elements.mjs');
  await writeDescriptions();
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
