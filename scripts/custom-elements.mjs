// Describes the container's element for editors and frameworks, from its source. Prints the manifest when it is run.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import { root } from './prepare.mjs';

/** @returns the custom-elements manifest, with what users of the element may touch and nothing else. */
export async function describeElements() {
  const manifest = await cli({
    argv: ['analyze', '--quiet'],
    cwd: join(root, 'packages/container'),
    noWrite: true,
  });
  const [element] = manifest.modules.flatMap(({ declarations }) => declarations.filter(({ tagName }) => tagName));
  const isPublic = ({ privacy, name }) => (privacy ?? 'public') === 'public' && name !== 'connectedMoveCallback';
  const path = 'dist/container.js';
  return {
    schemaVersion: manifest.schemaVersion,
    modules: [
      {
        kind: 'javascript-module',
        path,
        declarations: [{ ...element, members: element.members.filter(isPublic) }],
        exports: [
          {
            kind: 'custom-element-definition',
            name: element.tagName,
            declaration: { name: element.name, module: path },
          },
        ],
      },
    ],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await describeElements(), undefined, 2));
}
