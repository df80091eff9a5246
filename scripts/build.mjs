// Builds what browsers load: the SDK, the container and the demo's module gadgets. Node itself runs the sources.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './prepare.mjs';

for (const folder of ['packages/osapi', 'packages/container', 'demo']) {
  await build({ root: join(root, folder), configFile: join(root, folder, 'vite.config.ts'), logLevel: 'warn' });
}
