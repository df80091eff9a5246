import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needsVite } from '@gantry/lab/host/vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { folderForFile } from '../../wire/test/temporary-folder.ts';
import { exchange } from '../src/sources/exchange.ts';
import { withOwnScripts } from '../src/sources/own-scripts.ts';
import { createResaves, type Watcher } from '../src/sources/resaves.ts';

const folder = folderForFile();

beforeAll(async () => {
  await writeFile(join(folder, 'bare.js'), "import { osapi } from '@gantry/osapi';\n");
  await writeFile(join(folder, 'own.js'), "import { one } from './one.js';\nconst from = 'somewhere';\n");
});

test.each([
  ['<script type="module" src="main.ts"></script>', true],
  ['<script type="module" src="./src/main.tsx?x"></script>', true],
  ['<script type=module src=App.vue></script>', true],
  ['<script type="module" src="bare.js"></script>', true],
  ["<script type='module'>import { osapi } from '@gantry/osapi'</script>", true],
  ["<script type='module'>run();import {\n  osapi,\n} from '@gantry/osapi'</script>", true],
  ["<script type='module'>export * from 'lit';</script>", true],
  ["<script type='module'>say('Hello from ' + name + ' and ');</script>", false],
  ['<script type="module" src="own.js"></script>', false],
  ['<script src="bare.js"></script>', false],
  ['<script src="/gantry/osapi.js"></script><script>run()</script>', false],
  ['<script type="module">import "/gantry/osapi.js"; import "https://x.example/y.js"</script>', false],
  ['<script type="importmap">{}</script><script type="module" src="bare.js"></script>', false],
])('needs Vite for %s: %s', async (html, expected) => {
  await writeFile(join(folder, 'index.html'), html);
  expect(await needsVite(folder, ['index.html'])).toBe(expected);
});

test.each([
  ['scripts without an end', '<script'],
  ['scripts without text', '<script>'],
  ['types of scripts', '<script type='],
  ['blank lines in a script', '\n', '<script type=module>'],
])('reads a page of many %s once (security rule 34)', async (_, part, start = '') => {
  const html = start + part.repeat(500_000); // 80,000 once took 20 seconds
  await writeFile(join(folder, 'index.html'), html);
  expect(await needsVite(folder, ['index.html'])).toBe(false);
  expect(withOwnScripts(html, 'index.html')).toBe(html);
});

test('gives a module one address, whatever page loads it, and leaves scripts of the site alone', () => {
  expect(withOwnScripts('<script type="module" src="./src/main.ts"></script>', 'pages/large.html')).toContain(
    'src="/pages/src/main.ts"',
  );
  expect(withOwnScripts('<script src="/gantry/osapi.js"></script>', 'index.html')).toBe(
    '<script vite-ignore src="/gantry/osapi.js"></script>',
  );
  const others = '<script type="module" src="https://x.example/a.js"></script><script src="a.js"></script>';
  expect(withOwnScripts(others, 'index.html')).toBe(others);
});

/** A watcher over one file, whose events a test emits. */
function watched() {
  const listeners: ((event: string, path: string) => void)[] = [];
  const emitted: string[] = [];
  const watcher: Watcher = {
    on: (_event, listener) => listeners.push(listener),
    emit: (_event, path) => emitted.push(path),
  };
  const file = { content: 'first' };
  const resaves = createResaves(() => file.content);
  resaves.follow(watcher);
  function change(): void {
    for (const listener of listeners) listener('change', 'a.ts');
  }
  return { file, resaves, emitted, change };
}

test.each<[string, readonly string[], (at: ReturnType<typeof watched>) => void]>([
  [
    'a save that its watcher left out',
    ['a.ts'],
    ({ file }) => {
      file.content = 'second';
    },
  ],
  ['none where there was none', [], () => {}],
  [
    'none where the builder has read the second already',
    [],
    ({ file, resaves }) => {
      file.content = 'second';
      resaves.loaded('a.ts', 'second');
    },
  ],
  [
    'one where the builder has read the first',
    ['a.ts'],
    ({ file, resaves }) => {
      resaves.loaded('a.ts', 'first');
      file.content = 'second';
    },
  ],
])('finds %s', (_what, expected, act) => {
  vi.useFakeTimers();
  try {
    const at = watched();
    at.change();
    act(at);
    vi.advanceTimersByTime(500);
    expect(at.emitted).toEqual(expected);
  } finally {
    vi.useRealTimers();
  }
});

test('announces a file once that was empty when its save began: of two updates at once React shows the older', () => {
  vi.useFakeTimers();
  try {
    const { file, emitted, change } = watched();
    file.content = '';
    change();
    file.content = 'second';
    vi.advanceTimersByTime(500);
    expect(emitted).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('asks middleware without a server: what it streams, and what it leaves to others', async () => {
  const request = { url: '/a', headers: {} };
  const answer = await exchange((_incoming, outgoing) => {
    outgoing.writeHead(201, { 'Content-Type': 'text/css' });
    outgoing.write('a{');
    outgoing.end(Buffer.from('}'));
  }, request);

  expect(answer).toEqual({ status: 201, contentType: 'text/css', body: Buffer.from('a{}') });
  expect(await exchange((_incoming, _outgoing, next) => next(), request)).toBeUndefined();
  await expect(exchange((_incoming, _outgoing, next) => next(new Error('no')), request)).rejects.toThrow('no');
});
