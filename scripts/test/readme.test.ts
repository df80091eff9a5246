import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test.each(['start', 'test'])(
  'README.md names npm %s as a command of a fresh clone, and a script has its name',
  (name) => {
    const [commands = ''] = /```sh\n[^`]*```/.exec(readme) ?? [];
    expect(commands).toMatch(new RegExp(`^npm ${name}\\b.*#`, 'm')); // with what it does
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts).toHaveProperty(name);
  },
);
