import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { createGantry, readServerConfiguration } from '../../src/index.ts';
import { createRedaction, secretTexts, secretVariables, withSecretFiles } from '../../src/setup/secrets.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

function written(text: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, text);
  return file;
}

test.each(Object.keys(secretVariables))(
  '%s is read from the file that it names with _FILE, without its last line break',
  (name) => {
    const file = written('a secret of its own \r\n');
    expect(withSecretFiles({ [`${name}_FILE`]: file })).toMatchObject({ [name]: 'a secret of its own ' });
    expect(withSecretFiles({ [name]: 'set itself', [`${name}_FILE`]: '' })).toMatchObject({ [name]: 'set itself' });
  },
);

test('a secret that is given twice, or whose file is missing or empty, is one clear line (security rule 24)', () => {
  const file = written('\n');
  const read = (env: NodeJS.ProcessEnv) => () => withSecretFiles(env);
  expect(read({ GANTRY_VIEWER_KEY: 'k', GANTRY_VIEWER_KEY_FILE: file })).toThrow(
    'GANTRY_VIEWER_KEY and GANTRY_VIEWER_KEY_FILE are both set: keep one.',
  );
  expect(read({ GANTRY_VIEWER_KEY_FILE: '/none' })).toThrow(
    'GANTRY_VIEWER_KEY_FILE names /none, which cannot be read (ENOENT).',
  );
  expect(read({ GANTRY_VIEWER_KEY_FILE: file })).toThrow(`GANTRY_VIEWER_KEY_FILE names ${file}, which is empty.`);
});

test('a server reads the files of its secrets, also those that its file of settings names', () => {
  const settings = join(folder, 'gantry.env');
  writeFileSync(settings, `GANTRY_METRICS_TOKEN_FILE=${written('the-token-of-the-file\n')}\n`);
  const { metricsToken } = readServerConfiguration(['--data', folder], { GANTRY_ENV_FILE: settings });
  expect(metricsToken).toBe('the-token-of-the-file');
});

test('a site may fetch its secrets with functions, which are called once', async () => {
  let calls = 0;
  const later = async <T>(secret: T): Promise<T> => {
    calls++;
    return secret;
  };
  const options = {
    ...{ data: folder, url: 'https://social.example', log: { info() {}, warn() {}, error() {} } },
    metricsToken: () => later('the-token-of-the-function'),
    viewerKey: () => new Uint8Array(32),
    masterKey: () => later(new Uint8Array(32)),
  };
  const gantry = await createGantry(options);
  const ask = (token: string) =>
    gantry.fetch(new Request('https://social.example/metrics', { headers: { Authorization: `Bearer ${token}` } }));
  expect([(await ask('the-token-of-the-function')).status, (await ask('another')).status]).toEqual([200, 401]);
  await gantry.close();
  expect(calls).toBe(2);
  const failing = createGantry({
    ...options,
    masterKey: async () => {
      throw new Error('The vault is closed.');
    },
  });
  await expect(failing).rejects.toThrow('The vault is closed.');
});

test('no secret stays in a line of the log, and of an address only the password goes (security rule 8)', async () => {
  const env = {
    GANTRY_VIEWER_KEY: 'a "quoted" key of the site',
    GANTRY_DATABASE: 'postgres://gantry:pass%2Fword@db.example/gantry',
    GANTRY_METRICS_TOKEN: 'short',
  };
  const redacted = createRedaction(secretTexts(env));
  const line = JSON.stringify({ msg: `${env.GANTRY_VIEWER_KEY}, pass/word, ${env.GANTRY_DATABASE}, short` });
  expect(JSON.parse(redacted(line))).toEqual({ msg: '…, …, postgres://gantry:…@db.example/gantry, short' });
});
