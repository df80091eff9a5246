import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { configuration } from '../../src/configuration.ts';
import { webRootEvidence } from '../../src/setup/web-root.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => vi.restoreAllMocks());

test.each(['index.html', 'index.php', '.htaccess'])(
  'beside %s no keys are made by default: a web server could send them (security rule 31)',
  (name) => {
    expect(configuration({}, {}).data).toBe(join(folder, '.gantry')); // control
    writeFileSync(join(folder, name), '');
    expect(() => configuration({}, {})).toThrow(
      `Keys must not lie where a web server could send them: ${name} lies in ${folder}. Name a data folder with --data or GANTRY_DATA.`,
    );
    expect(configuration({ data: '/srv/data' }, {}).data).toBe('/srv/data');
    expect(configuration({}, { GANTRY_DATA: join(folder, 'mine') }).data).toBe(join(folder, 'mine'));
    mkdirSync(join(folder, '.gantry')); // an older site's, which gantry check reports
    expect(configuration({}, {}).data).toBe(join(folder, '.gantry'));
  },
);

test('below the folder of a site no second data folder is made by default, and the error names the first', () => {
  const gadgets = join(folder, 'gadgets');
  vi.spyOn(process, 'cwd').mockReturnValue(gadgets);
  mkdirSync(join(folder, '.gantry'));
  mkdirSync(gadgets);
  const nested = join(gadgets, '.gantry');
  expect(configuration({}, {}).data).toBe(nested); // control: gantry dev makes such a folder, without keys
  writeFileSync(join(folder, '.gantry/keys.json'), '');
  expect(() => configuration({}, {})).toThrow(
    `There is no data folder here, but one in ${folder}. Use it with --data ${folder}/.gantry (GANTRY_DATA), or make another with --data ${nested}.`,
  );
  expect(configuration({ data: nested }, {}).data).toBe(nested);
  writeFileSync(join(gadgets, 'package.json'), ''); // a separate project
  expect(configuration({}, {}).data).toBe(nested);
  writeFileSync(join(gadgets, 'gadget.json'), '');
  expect(() => configuration({}, {})).toThrow('There is no data folder here');
  mkdirSync(nested);
  writeFileSync(join(nested, 'keys.json'), '');
  expect(configuration({}, {}).data).toBe(nested);
});

test('a folder is below a web root by its nested path, and by the one that a link leads to (security rule 31)', () => {
  const root = join(folder, 'public_html', 'shop');
  mkdirSync(root, { recursive: true });
  symlinkSync(root, join(folder, 'shop'));
  for (const path of [root, join(folder, 'shop')]) {
    expect(webRootEvidence(path)).toBe(`${path} is below a folder called public_html`);
  }
  expect(webRootEvidence(folder)).toBeUndefined();
});
