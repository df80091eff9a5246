import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { askHidden } from '../../src/terminal/read-secret.ts';
import { gantry as run } from '../running-site.ts';

let data: string;
beforeEach(() => {
  data = folderForTest();
});

const gantry = (...args: string[]) => run(data, ...args);

/** Runs the command as a process of its own, which reads a pipe. */
async function piped(text: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const program = join(import.meta.dirname, '../../bin/gantry.js');
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, GANTRY_DATA: data } });
  const seen = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    seen.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    seen.err += chunk;
  });
  child.stdin.end(text);
  const [code] = await once(child, 'close');
  return { code, ...seen };
}

test('an administrator is made with a password from a pipe, listed, and removed', async () => {
  expect(await gantry('admin', 'list')).toMatchObject({ out: 'No administrators yet: gantry admin add --help' });
  const made = await piped('open sesame\n', 'admin', 'add', '--member', 'root', '--name', 'Root', '--password-stdin');
  expect(made).toEqual({ code: 0, out: 'root is an administrator.\n', err: '' });
  expect(JSON.parse((await gantry('admin', 'list', '--json')).out)).toEqual([
    { id: 'root', displayName: 'Root', hasPassword: true },
  ]);
  expect(await gantry('admin', 'remove', 'root')).toMatchObject({
    code: 0,
    out: 'root is no longer an administrator.',
  });
  expect((await gantry('admin', 'list', '--json')).out).toBe('[]');
  expect(await gantry('admin', 'add', '--member', 'root', '--no-password')).toMatchObject({ code: 0 });
});

test('a refused command prints one line and changes nothing', async () => {
  expect(await gantry('admin', 'add', '--member', '1')).toMatchObject({
    code: 2,
    err: 'There is no member "1". To create one, add --name NAME.',
  });
  expect(await piped('short', 'admin', 'add', '--member', '1', '--name', 'One', '--password-stdin')).toMatchObject({
    code: 2,
    err: 'A password has at least 8 characters.\n',
  });
  expect(await piped('', 'admin', 'add', '--member', '1', '--name', 'One')).toMatchObject({
    code: 2,
    err: 'A password needs a terminal or --password-stdin.\n',
  });
  expect(await gantry('admin', 'remove', '1')).toMatchObject({ code: 2, err: 'There is no member "1".' });
  expect(await gantry('admin', 'frob')).toMatchObject({ code: 2 });
});

/** A terminal: raw mode as Node's has it, and what it shows. */
function terminal() {
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(on: boolean) {
      input.isRaw = on;
    },
  });
  const output = new PassThrough();
  return { input, output, shown: () => String(output.read() ?? '') };
}

test('a password typed at the terminal is not shown and can be corrected, with arrow keys too', async () => {
  const { input, output, shown } = terminal();
  const answer = askHidden('Password: ', { input, output });
  expect(input.isRaw).toBe(true);
  for (const key of ['s', 'e', 'x', '\u007f', 'cr', 't', '\u001b[D', 'ë', '\u001b[A', '\u001b[C', '\r'])
    input.write(key);
  expect(await answer).toBe('secrët');
  expect(shown()).toBe('Password: \n');
  expect(input.isRaw).toBe(false);
});

test('Ctrl-C ends the question and gives the terminal back', async () => {
  const { input, output } = terminal();
  const answer = askHidden('Password: ', { input, output });
  input.write('ab\u0003');
  await expect(answer).rejects.toThrow('No password was given.');
  expect(input.isRaw).toBe(false);
});
