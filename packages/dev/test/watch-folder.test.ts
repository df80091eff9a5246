import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { typescriptApp, writeApps } from '../../../e2e/dev/sample-apps.ts';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { type DevServer, startDevServer } from '../src/index.ts';
import { watchFolder } from '../src/sources/watch-folder.ts';

describe.each([{ poll: false }, { poll: true }])('with %o', ({ poll }) => {
  let folder: string;
  let reports: string[][];
  let stop: () => Promise<void>;
  beforeEach(async () => {
    folder = folderForTest();
    await writeFile(join(folder, 'index.html'), 'first');
    reports = [];
    stop = await watchFolder(folder, (paths) => reports.push([...paths]), { poll });
  });
  afterEach(() => stop());
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const reported = (expected: readonly string[]) =>
    expect.poll(() => [...new Set(reports.flat())].sort(), { interval: 2 }).toEqual(expected);

  test('reports saves, copies renamed over a file, new folders and removals, of own files only', async () => {
    await mkdir(join(folder, 'node_modules'));
    for (const path of ['node_modules/a.js', '.hidden', 'index.html~', '.copy']) await write(path, 'x');
    await rename(join(folder, '.copy'), join(folder, 'index.html'));
    await reported(['index.html']);
    await mkdir(join(folder, 'src/deep'), { recursive: true });
    await write('src/deep/a.js', '');
    await reported(['index.html', 'src/deep/a.js']);
    await rm(join(folder, 'index.html'));
    await expect.poll(() => reports.at(-1)).toEqual(['index.html']);
  });

  test('a save within 50 ms of another is reported after it', async () => {
    await write('index.html', 'second');
    await reported(['index.html']);
    const before = reports.length;
    await write('index.html', 'third');
    await expect.poll(() => reports.length).toBeGreaterThan(before);
  });
});

test('reports the files of one save together', async () => {
  const folder = folderForTest();
  const reports: (readonly string[])[] = [];
  const stop = await watchFolder(folder, (paths) => reports.push(paths));
  await Promise.all(['a.css', 'b.css'].map((name) => writeFile(join(folder, name), '')));
  await expect.poll(() => reports.map((paths) => paths.toSorted())).toEqual([['a.css', 'b.css']]);
  await stop();
});

/** Returns whether this process has asked the system for the changes of a folder. */
function isSubscribed(folder: string): boolean {
  const mark = ` ino:${statSync(folder).ino.toString(16)} `;
  const texts = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8');
    } catch {
      return '';
    }
  });
  return texts.some((text) => text.includes(mark));
}

test.runIf(process.platform === 'linux').each([false, true])(
  'polls (%o) plain folders, stories and Vite',
  async (poll) => {
    const plain = { 'gadget.json': '{"name":"Plain","page":"index.html"}', 'index.html': '<p>', 'a.stories.mjs': '' };
    const { folders, remove } = await writeApps({ plain, built: typescriptApp });
    const dev: DevServer = await startDevServer({ folders: Object.values(folders), port: 0, poll });
    await dev.stories.list();
    for (const folder of Object.values(folders)) {
      await expect.poll(() => isSubscribed(folder)).toBe(!poll);
    }
    await dev.close();
    await remove();
  },
);
