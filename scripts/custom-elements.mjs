// Describes the container's element for editors and frameworks, from its source. Prints the
// manifest when run directly.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import { typesOf, vsCodeDataOf, webTypesOf } from './element-types.mjs';
import { root } from './prepare.mjs';

const folder = join(root, 'packages/container');
const types = 'src/gadget-types.ts';

/**
 * Writes the manifest and the files made from it. The types are sources: written only on a change.
 */
export async function writeDescriptions() {
  for (const [path, text] of Object.entries(await describe())) {
    const file = join(folder, path);
    if (path !== types || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

/** @returns texts by their paths in the package. */
async function describe() {
  const manifest = await describeElements();
  const [element] = manifest.modules[0].declarations;
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const asText = (value) => JSON.stringify(value, undefined, 2);
  return {
    [types]: typesOf(element),
    'dist/custom-elements.json': asText(manifest),
    'dist/vscode.html-custom-data.json': asText(vsCodeDataOf(element)),
    'dist/web-types.json': asText(webTypesOf(element, description)),
  };
}

/** @returns the custom-elements manifest, with the element's public members only. */
async function describeElements() {
  const manifest = await cli({
    argv: ['analyze', '--quiet'],
    cwd: folder,
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
  console.log(JSON.stringify(await describe()));
}
