import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';

// `gantry dev --json` as a program uses it: without a terminal, and only with browsers that it
// opens itself.

interface Told {
  readonly event: string;
  readonly id?: string;
  readonly example?: string;
  readonly asks?: readonly string[];
  readonly [member: string]: unknown;
}

let folder: string;
let child: ChildProcess | undefined;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-terminal-'));
});
test.afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function write(file: string, text: string): Promise<void> {
  return writeFile(join(folder, file), text);
}

/** Starts the command; `next` reads events in order and skips those before the wanted one. */
function start(...args: readonly string[]) {
  const started = spawn(process.execPath, [
    'packages/cli/bin/gantry.js',
    'dev',
    folder,
    '--port',
    '0',
    '--json',
    ...args,
  ]);
  child = started;
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const exit = new Promise<number | null>((resolve) => started.once('exit', resolve));
  async function next(event: string, id?: string): Promise<Told> {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The run ended before ${event} ${id ?? ''}`);
      const report = JSON.parse(value) as Told;
      if (report.event === event && (id === undefined || report.id === id)) return report;
    }
  }
  return { next, exit, stdin: started.stdin };
}

test('an agent without a screen starts a gadget, reads a refusal with its cure, fixes it, and ends the run', async () => {
  await write('gadget.json', '{ "name": "Hello", "page": "index.html", "uses": ["people.get"] }');
  await write(
    'index.html',
    `<!doctype html><title>Hello</title><script src="/gantry/osapi.js"></script>
<script>osapi.activities.get().execute(() => {});</script>`,
  );
  const { next, exit, stdin } = start('--browser');
  expect(await next('ready')).toMatchObject({ version: 2, browser: true, url: expect.stringMatching(/^http:\/\/127/) });
  const { example } = await next('problem', 'undeclared-call');
  expect(example).toBe('"uses": ["people.get", "activities.get"]');
  await write('gadget.json', `{ "name": "Hello", "page": "index.html", ${example} }`);
  expect((await next('manifest')).asks).toEqual(['activities']);
  await next('resolved', 'undeclared-call');
  stdin.end();
  await next('end');
  expect(await exit).toBe(0);
});

test('without a browser gadget.json is checked, and the first event lists the remaining steps', async () => {
  await write('gadget.json', '{ "name": "Hello", "page": "index.html" }');
  await write('index.html', '<!doctype html><title>Hello</title>');
  const { next, exit } = start();
  expect(await next('ready')).toMatchObject({ browser: false, hint: expect.stringContaining('--browser') });
  await write('gadget.json', '{ "name": "Hello", "page": "index.html", }');
  expect(await next('problem')).toMatchObject({ id: 'manifest-json', where: { file: 'gadget.json', line: 1 } });
  await write('gadget.json', '{ "name": "Hello", "page": "index.html" }');
  await next('resolved', 'manifest-json');
  child?.kill('SIGTERM');
  await next('end');
  expect(await exit).toBe(0);
});
