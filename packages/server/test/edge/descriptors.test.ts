import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

// A process of its own: without descriptors nothing else works.
const script = `
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addApp, createGantry } from '@gantry/server';
import { sql } from '@gantry/store';
const data = await mkdtemp(join(tmpdir(), 'gantry-descriptors-'));
const folder = join(data, 'app');
await mkdir(folder);
await writeFile(join(folder, 'gadget.json'), '{ "name": "A", "page": "index.html" }');
await writeFile(join(folder, 'index.html'), 'page');
const viewer = () => undefined;
const gantry = await createGantry({ data, url: 'http://social.example', viewer });
await addApp(gantry.stores, { id: 'a', folder, live: true, trusted: true });
await mkdir(gantry.stores.mediaFolder, { recursive: true });
await writeFile(join(gantry.stores.mediaFolder, 'photo'), 'photo');
await gantry.saveRecords([
  { kind: 'member', id: 'm-1', displayName: 'Ada' },
  { kind: 'album', id: 'b', ownerId: 'm-1', title: 'B' },
  { kind: 'mediaItem', id: 'i', albumId: 'b', url: 'https://photos.example/i.png' },
]);
await gantry.stores.db.query(sql\`insert into media_file (token, item_id, file, type) values ('t', 'i', 'photo', 'image/png')\`);
const paths = ['/gantry/apps/a/index.html', '/gantry/apps/a/none.html', '/gantry/media/t', '/gantry/osapi.js'];
const statuses = (count) => Promise.all(paths.slice(0, count).map(async (path) => {
  const response = await gantry.fetch(new Request('http://social.example' + path), path);
  await response.arrayBuffer();
  return response.status;
}));
console.log(JSON.stringify(await statuses(3)));
const held = [];
try { for (;;) held.push(openSync('/dev/null')); } catch {}
console.log(JSON.stringify(await statuses(4)));
for (const one of held) closeSync(one);
console.log(JSON.stringify(await statuses(4)));
process.exit(0);`;

test('without descriptors a file that is there is 503, not missing, and comes again afterwards (security rule 23)', () => {
  const run = 'ulimit -n 64; exec "$0" --conditions=@gantry/source --input-type=module -e "$1"';
  const printed = String(
    execFileSync('sh', ['-c', run, process.execPath, script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  expect(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    [200, 404, 200],
    [503, 404, 503, 503],
    [200, 404, 200, 200],
  ]);
});
