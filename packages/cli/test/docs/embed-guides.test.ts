import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gantryPaths } from '@gantry/wire';
import { expect, test } from 'vitest';
import { guideFile, guideFiles } from '../../../../examples/guide-file.ts';

const examples = join(import.meta.dirname, '../../../../examples');
const read = (file: string) => readFileSync(join(examples, file), 'utf8');

test.each([
  ['php', 'embed-php.md', ['gantry.php', 'nginx.conf', 'start.sh']],
  ['python', 'embed-python.md', ['gantry.py', 'start.sh']],
  ['php', 'reverse-proxy.md', ['site.conf']],
  ['python', 'reverse-proxy.md', ['Caddyfile']],
])('the files that examples/%s and %s share are the same (site owner’s guide)', (name, guide, files) => {
  for (const file of files) expect(guideFile(guide, file), file).toBe(read(`${name}/${file}`));
});

test('the script that the sites in other languages share is that of both examples', () => {
  for (const file of ['php/public/site.js', 'python/static/site.js']) {
    expect(guideFile('embed.md', 'site.js'), file).toBe(read(file));
  }
});

test('a guide that does not have a file says so', () => {
  expect(() => guideFile('embed-php.md', 'gantry.py')).toThrow('docs/guides/embed-php.md has no block for gantry.py.');
});

test('both configurations pass each of Gantry’s paths but those for monitoring', () => {
  const monitoring = ['/healthz', '/metrics', '/readyz'];
  const paths = gantryPaths.filter((path) => !monitoring.includes(path));
  const files = guideFiles('reverse-proxy.md');
  const pattern = (file: string, before: RegExp) => new RegExp(before.exec(files.get(file) ?? '')?.[1] ?? '(?!)');
  const location = pattern('site.conf', /location ~ (\S+) \{/);
  const matcher = pattern('Caddyfile', /@gantry path_regexp (\S+)/);
  const isPassed = (path: string) => [path, location.test(path), matcher.test(path)];
  for (const path of paths) {
    expect(isPassed(path)).toEqual([path, true, true]);
    expect(isPassed(`${path}/x`)).toEqual([`${path}/x`, true, true]);
  }
  for (const path of [
    '/',
    '/accounts',
    '/socials/x',
    '/gantry.html',
    '/oauth',
    '/admin',
    '/admin/oauth',
    ...monitoring,
  ]) {
    expect(isPassed(path)).toEqual([path, false, false]);
  }
});
