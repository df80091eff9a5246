import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';

const program = fileURLToPath(new URL('../bin/gantry.js', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = folderForTest();
  await mkdir(join(folder, 'score'));
  await writeFile(join(folder, 'score/gadget.json'), '{ "name": "Score", "page": "index.html" }');
  await writeFile(join(folder, 'score/index.html'), '<script src="/gantry/osapi.js"></script>');
});

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, GANTRY_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves with exit code and errors of a process. */
async function endOf(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, err };
}

test.each([['--help'], ['app', 'add', '--help'], ['app', 'list']])(
  'gantry %s … | head ends quietly when its reader has gone (field: EPIPE is no failure)',
  async (...args) => {
    const child = start(...args);
    child.stdout?.destroy();
    expect(await endOf(child)).toEqual({ code: 0, err: '' });
  },
);

test('gantry app add | head -1 registers the app all the same', async () => {
  const adding = start('app', 'add', join(folder, 'score'));
  adding.stdout?.destroy();
  expect(await endOf(adding)).toEqual({ code: 0, err: '' });
  const listing = start('app', 'list');
  let out = '';
  listing.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  await endOf(listing);
  expect(out).toContain('score');
});

test('gantry dev --json | head -1 ends when its reader has gone', async () => {
  const child = start('dev', join(folder, 'score'), '--port', '0', '--json');
  const ended = endOf(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.stdout?.destroy();
  await writeFile(join(folder, 'score/gadget.json'), '{ "name": "Score", "page": "none.html" }'); // to have an event printed
  expect(await ended).toEqual({ code: 0, err: '' });
});
