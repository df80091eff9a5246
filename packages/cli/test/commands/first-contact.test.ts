import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/commands.ts';
import { runCommand } from '../run-command.ts';

const gantry = (...args: string[]) => runCommand(args);

test('gantry --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await gantry('--version')).toEqual({ code: 0, out: version, err: '' });
});

test('gantry help NAME is the help of that command', async () => {
  expect(await gantry('help', 'keys')).toEqual(await gantry('keys', '--help'));
  expect(await gantry('help')).toEqual(await gantry('--help'));
  expect(await gantry('help', 'kezs')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean keys?') });
});

test.each([
  [['serv'], 'gantry has no command "serv". Did you mean serve? See gantry --help.'],
  [['frobnicate'], 'gantry has no command "frobnicate". See gantry --help.'],
  [['serve', '--prot', '80'], 'There is no flag --prot here. Did you mean --port? See --help.'],
  [['app', 'check', '.', '--strcit'], 'There is no flag --strcit here. Did you mean --strict? See --help.'],
  [['app', 'list', '--frobnicate'], 'There is no flag --frobnicate here. See --help.'],
  [['app', 'chekc', '.'], expect.stringContaining('Did you mean check? See gantry app --help.')],
])('gantry %j names the word that was meant, if one is near', async (args, err) => {
  expect(await gantry(...args)).toEqual({ code: 2, out: '', err });
});

describe('gantry completion', () => {
  /** Completes a line in a real bash, which stands in `npm test` wherever its scripts do. */
  async function complete(...words: string[]): Promise<readonly string[]> {
    const { out } = await gantry('completion', 'bash');
    const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gantry; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'gantry', ...words], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim().split('\n');
  }

  test('completes commands, verbs and flags in bash', async () => {
    expect(await complete('se')).toEqual(['serve', 'settings']);
    expect(await complete('app', 're')).toEqual(['refuse', 'remove', 'resume']);
    expect(await complete('app', 'check', '--s')).toEqual(['--strict']);
    expect(await complete('serve', '--po')).toEqual(['--port']);
    expect(await complete('help', 'k')).toEqual(['keys']);
    expect(await complete('settings', 'set', '--j')).toEqual(['--json']);
  });

  test.each(['bash', 'zsh', 'fish'])('%s has every command of the table', async (shell) => {
    const { out } = await gantry('completion', shell);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test('takes one of three shells', async () => {
    expect(await gantry('completion', 'tcsh')).toEqual({
      code: 2,
      out: '',
      err: 'gantry completion takes bash, zsh or fish.',
    });
  });
});
