import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { readServerConfiguration } from '../../src/index.ts';
import { withEnvironmentFile } from '../../src/setup/environment-file.ts';
import { inheritedSocket } from '../../src/setup/listen-place.ts';
import { startWarnings } from '../../src/setup/start-checks.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'gantry.env');
  writeFileSync(
    file,
    '# of the site\nGANTRY_URL=https://social.example\nGANTRY_METRICS_TOKEN="a token of the file"\n',
    {
      mode: 0o600,
    },
  );
});

test('settings come from the file that GANTRY_ENV_FILE names, after those of the environment', () => {
  const env = { GANTRY_ENV_FILE: file, GANTRY_METRICS_TOKEN: 'token-of-the-environment' };
  const { url, metricsToken } = readServerConfiguration(['--data', folder], env);
  expect([url, metricsToken]).toEqual(['https://social.example', 'token-of-the-environment']);
  expect(env).not.toHaveProperty('GANTRY_URL'); // workers inherit the environment, and read the file themselves
});

test('a file of settings that cannot be read is one clear line (security rule 24)', () => {
  expect(() => withEnvironmentFile({ GANTRY_ENV_FILE: join(folder, 'missing') })).toThrow(
    `GANTRY_ENV_FILE names ${join(folder, 'missing')}, which cannot be read (ENOENT).`,
  );
});

test('a file of settings that others can read is warned of (security rule 30)', () => {
  const warnings = () => startWarnings({ data: join(folder, 'data'), environmentFile: file, nodeVersion: '24.14.1' });
  expect(warnings()).toEqual([]);
  chmodSync(file, 0o644);
  expect(warnings()).toEqual([`${file} is open to other users of this machine (mode 644): run chmod 600 ${file}`]);
});

test('a file of another owner, as Kubernetes mounts secrets, may be open to the group of the service only', () => {
  const warnings = (userId?: number) =>
    startWarnings({ data: join(folder, 'data'), environmentFile: file, nodeVersion: '24.14.1', userId });
  const another = statSync(file).uid + 1;
  chmodSync(file, 0o440);
  expect(warnings(another)).toEqual([]);
  expect(warnings()).toHaveLength(1); // its own: the control
  chmodSync(file, 0o444);
  expect(warnings(another)).toHaveLength(1);
});

test.each([
  [{}, undefined],
  [{ LISTEN_FDS: '1', LISTEN_PID: '7' }, 3],
  [{ LISTEN_FDS: '1', LISTEN_PID: '8' }, undefined], // inherited by a child of the process that was meant
  [{ LISTEN_FDS: '1' }, undefined],
  [{ LISTEN_FDS: '0', LISTEN_PID: '7' }, undefined],
])('a socket is taken from the service manager for this very process (sd_listen_fds): %o', (env, socket) => {
  expect(inheritedSocket(env, 7)).toBe(socket);
});

test('several sockets are one clear line', () => {
  expect(() => inheritedSocket({ LISTEN_FDS: '2', LISTEN_PID: '7' }, 7)).toThrow(
    'LISTEN_FDS passes 2 sockets; Gantry listens on one.',
  );
});
